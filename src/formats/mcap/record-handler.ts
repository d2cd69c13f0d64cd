import { crc32 } from 'node:zlib';
import { AssayError } from '#core';
import type { WalkTarget } from '../shared/bags/log-walk.ts';
import { viewOf } from '../shared/messages/decoders/message-compression.ts';
import { Recording, reportTopicLimit } from '../shared/messages/recording.ts';
import type { RecordingMetadata } from '../shared/messages/recording-metadata.ts';
import { ChannelTable } from './channels.ts';
import type { Integrity } from './integrity.ts';
import {
  messagePrefixBytes,
  opcode,
  parseChannel,
  parseChunk,
  parseHeader,
  parseMetadata,
  parseSchema,
  parseStatistics,
  prefixBytes,
  unpackChunk,
} from './records.ts';

/**
 * Handles the records of one file, including those in chunks: messages go to the recording, declarations are stored,
 * the rest is counted.
 */
export class RecordHandler {
  readonly metadata: RecordingMetadata[] = [];
  readonly channels: ChannelTable;
  /** True in the summary section, where schemas and channels are only repeated. */
  inSummary = false;
  readonly #integrity: Integrity;
  readonly #target: WalkTarget;
  #baseHigh = 0;
  #baseLow = 0;

  constructor(integrity: Integrity, target: WalkTarget) {
    this.#integrity = integrity;
    this.#target = target;
    this.channels = new ChannelTable(integrity);
  }

  /** Resets channel recorders and the time base; call after every change of the target's recording. */
  rebase(): void {
    this.channels.detach();
    const base = this.#target.recording?.base_ns ?? 0n;
    this.#baseHigh = Number(base >> 32n);
    this.#baseLow = Number(base & 0xffffffffn);
  }

  /**
   * Handles one top-level record, whose fields lie in bytes `start` to before `end`; an invalid one is reported.
   * `offset` is its offset in the file.
   */
  handle(op: number, bytes: Uint8Array, view: DataView, start: number, end: number, offset: number): void {
    if (op === opcode.chunk) this.#handleChunk(bytes, view, start, end, offset);
    else if (op === opcode.message) this.#handleMessage(bytes, view, start, end, offset);
    else this.#handleOther(op, bytes, view, start, end, offset);
  }

  #handleChunk(bytes: Uint8Array, view: DataView, start: number, end: number, offset: number): void {
    this.#integrity.chunks++;
    this.#target.segment++;
    try {
      const chunk = parseChunk(bytes, view, start, end);
      const packed = bytes.subarray(chunk.start, chunk.end);
      const records = unpackChunk(packed, chunk.compression, chunk.uncompressedSize);
      if (chunk.uncompressedCrc === 0) this.#integrity.crcAbsent++;
      else {
        this.#integrity.crcPresent++;
        if (crc32(records) !== chunk.uncompressedCrc) {
          this.#integrity.crcWrong++;
          throw new AssayError('unreadable_input', 'checksum mismatch');
        }
      }
      this.#handleChunkRecords(records, offset);
    } catch (thrown) {
      if (!(thrown instanceof AssayError) && !(thrown instanceof RangeError)) throw thrown;
      this.#integrity.report(
        'chunk_unreadable',
        'error',
        `the chunk at byte ${offset} was skipped: ${thrown.message}`,
        'copy the file again, or repair it (mcap recover)',
      );
    }
  }

  #handleChunkRecords(bytes: Uint8Array, offset: number): void {
    const view = viewOf(bytes);
    let at = 0;
    while (at + prefixBytes <= bytes.length) {
      const op = bytes[at];
      const length = view.getUint32(at + 5, true) * 4294967296 + view.getUint32(at + 1, true);
      const start = at + prefixBytes;
      if (op === 0 || length > bytes.length - start) {
        throw new RangeError(`a record of ${length} bytes extends past the end of the chunk`);
      }
      at = start + length;
      if (op === opcode.message) this.#handleMessage(bytes, view, start, at, offset);
      else this.#handleOther(op, bytes, view, start, at, offset);
    }
  }

  #handleMessage(bytes: Uint8Array, view: DataView, start: number, end: number, offset: number): void {
    const channel =
      end - start < messagePrefixBytes ? undefined : this.channels.get(view.getUint16(start, true));
    if (channel === undefined) {
      this.#reportLostMessage(view, start, end, offset);
      return;
    }
    const recording = this.#target.recording ?? this.#startRecording(view.getBigUint64(start + 6, true));
    const log_ns =
      (view.getUint32(start + 10, true) - this.#baseHigh) * 4294967296 +
      (view.getUint32(start + 6, true) - this.#baseLow);
    const publish_ns =
      (view.getUint32(start + 18, true) - this.#baseHigh) * 4294967296 +
      (view.getUint32(start + 14, true) - this.#baseLow);
    this.#integrity.messages++;
    recording.observeTime(log_ns);
    channel.countMessage(view.getUint32(start + 2, true));
    const recorder = channel.recorder ?? this.channels.attach(channel, recording);
    if (recorder === null) {
      reportTopicLimit(this.#integrity, channel.record.topic);
      return;
    }
    recorder.enterSegment(this.#target.segment);
    recorder.add(bytes, view, start + messagePrefixBytes, end, log_ns, publish_ns, offset);
  }

  #startRecording(log: bigint): Recording {
    const { topics } = this.#target;
    const recording = new Recording(log, this.#integrity.path, 'log_time', { topics });
    this.#target.recording = recording;
    this.rebase();
    return recording;
  }

  #reportLostMessage(view: DataView, start: number, end: number, offset: number): void {
    if (end - start < messagePrefixBytes) {
      this.#reportInvalid('message', offset);
      return;
    }
    this.#integrity.report(
      'channel_unknown',
      'error',
      `a message near byte ${offset} belongs to channel ${view.getUint16(start, true)}, which is not declared`,
      'repair the file (mcap recover)',
    );
  }

  #handleOther(
    op: number,
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    offset: number,
  ): void {
    try {
      this.#parseOther(op, bytes, view, start, end, offset);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      this.#reportInvalid(`record type ${op}`, offset);
    }
  }

  #parseOther(
    op: number,
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    offset: number,
  ): void {
    switch (op) {
      case opcode.header:
        // The profile is read when the file is opened; here only the record is validated.
        parseHeader(bytes, view, start, end);
        return;
      case opcode.schema:
        if (this.inSummary) this.#integrity.schemas.add(view.getUint16(start, true));
        else this.channels.addSchema(parseSchema(bytes, view, start, end));
        return;
      case opcode.channel:
        if (this.inSummary) this.#integrity.channels.add(view.getUint16(start, true));
        else this.channels.addChannel(parseChannel(bytes, view, start, end), offset);
        return;
      case opcode.metadata: {
        const { name, values } = parseMetadata(bytes, view, start, end);
        this.#integrity.metadata++;
        if (this.metadata.length < 1024) this.metadata.push({ source: `metadata record ${name}`, values });
        return;
      }
      case opcode.statistics:
        this.#integrity.statistics = parseStatistics(bytes, view, start, end);
        return;
      case opcode.attachment:
        this.#integrity.attachments++;
        return;
      case opcode.chunkIndex:
        this.#integrity.chunkIndexes++;
        return;
      case opcode.messageIndex:
        this.#integrity.messageIndexes++;
        return;
      default:
        if (op > opcode.dataEnd) this.#integrity.unknownRecords++;
    }
  }

  #reportInvalid(what: string, offset: number): void {
    this.#integrity.report(
      'record_invalid',
      'error',
      `a ${what} near byte ${offset} is too short for its fields`,
      'repair the file (mcap recover)',
    );
  }
}
