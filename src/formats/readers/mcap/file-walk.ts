import { crc32 } from 'node:zlib';
import { AssayError } from '#kernel';
import { viewOf } from '../../messages/message-compression.ts';
import { Recording } from '../../messages/recording.ts';
import type { RecordingMetadata } from '../../messages/recording-metadata.ts';
import type { ByteSource } from './byte-source.ts';
import { ChannelTable } from './channels.ts';
import { maxChunkBytes, unpackChunk } from './chunk-bytes.ts';
import { Integrity } from './integrity.ts';
import { RecordWindow } from './record-window.ts';
import {
  magic,
  messagePrefixBytes,
  opcode,
  parseChannel,
  parseChunk,
  parseDataEnd,
  parseFooter,
  parseHeader,
  parseMetadata,
  parseSchema,
  parseStatistics,
  prefixBytes,
} from './records.ts';

/** A record that has to be held whole may be as large as a chunk and its head. */
const maxRecordBytes = maxChunkBytes + 4096;

/** What the walk of a file hands messages to; replaced when an episode is closed in the middle of a file. */
export interface WalkTarget {
  recording: Recording | null;
  /** Counts chunks and files, so that recorders can tell storage order from recording order. */
  segment: number;
  /** Bytes of numbers and stamps past which the walk pauses, so that the recording can be closed. */
  readonly heldLimit: number;
}

/**
 * Walks one MCAP file from its first byte to its last, record by record, whatever its summary says: files without
 * chunks, index or summary read like any other, and a truncated one as far as it goes.
 */
export class FileWalk {
  readonly integrity: Integrity;
  readonly metadata: RecordingMetadata[] = [];
  profile = '';
  library = '';
  readonly channels: ChannelTable;
  readonly #window: RecordWindow;
  readonly #source: ByteSource;
  readonly #target: WalkTarget;
  readonly #path: string;
  #inSummary = false;
  #ended = false;
  #baseHigh = 0;
  #baseLow = 0;

  constructor(source: ByteSource, path: string, target: WalkTarget) {
    this.#source = source;
    this.#path = path;
    this.#target = target;
    this.#window = new RecordWindow(source);
    this.integrity = new Integrity(path);
    this.channels = new ChannelTable(this.integrity);
  }

  /** Bytes walked so far. */
  get offset(): number {
    return this.#window.offset;
  }

  /** The recording holds as much as it may, and should be closed before the next step. */
  get isFull(): boolean {
    return (this.#target.recording?.context.heldBytes ?? 0) > this.#target.heldLimit;
  }

  /** Reads the magic number. False: this is no MCAP file. */
  async begin(): Promise<boolean> {
    if (!(await this.#window.fill(magic.length))) return false;
    const { bytes, start } = this.#window;
    if (magic.some((byte, i) => bytes[start + i] !== byte)) return false;
    this.#window.start += magic.length;
    return true;
  }

  /** Walks what lies in the window, and reads on. False: the file is at its end. */
  async step(): Promise<boolean> {
    const wanted = this.#walk();
    if (this.#ended) return false;
    if (wanted === 0) return true;
    const rest = this.#source.size === null ? Number.POSITIVE_INFINITY : this.#source.size - this.offset;
    if (wanted > rest)
      return this.#truncated(`a record of ${wanted} bytes starts where only ${rest} are left`);
    if (wanted > maxRecordBytes || this.#isAttachment()) return this.#passOver(wanted);
    if (await this.#window.fill(wanted)) return true;
    if (this.#window.available === 0) return this.#truncated('the file ends without its footer');
    return this.#truncated('the file ends in the middle of a record');
  }

  /** After the last step: the magic number has to close the file. */
  async end(): Promise<void> {
    if (!this.integrity.sawFooter) return;
    const window = this.#window;
    const whole = await window.fill(magic.length);
    if (!whole || magic.some((byte, i) => window.bytes[window.start + i] !== byte)) {
      this.#truncated('the closing magic number is missing');
      return;
    }
    window.start += magic.length;
    if (window.available === 0 && !(await window.fill(1))) return;
    this.integrity.report(
      'bytes_after_end',
      'warning',
      `there are more bytes behind the end of the recording at byte ${this.offset}`,
      'if two recordings were joined, take them apart: only the first is read',
    );
  }

  /** Follows every change of the target's recording. */
  rebase(): void {
    this.channels.detach();
    const base = this.#target.recording?.base_ns ?? 0n;
    this.#baseHigh = Number(base >> 32n);
    this.#baseLow = Number(base & 0xffffffffn);
  }

  /** Walks whole records of the window; the bytes that the next one needs, 0 for a pause. */
  #walk(): number {
    const window = this.#window;
    for (;;) {
      if (window.available < prefixBytes) return prefixBytes;
      const { bytes, view, start } = window;
      const length = view.getUint32(start + 5, true) * 4294967296 + view.getUint32(start + 1, true);
      const whole = prefixBytes + length;
      if (bytes[start] === 0) {
        this.#ended = true;
        this.#corrupt(`byte ${window.offset} should start a record and is zero`);
        return 0;
      }
      if (whole > window.available) return whole;
      const op = bytes[start];
      if (op === opcode.dataEnd)
        this.#checkData(parseGuarded(() => parseDataEnd(bytes, view, start + 9, start + whole)));
      if (op === opcode.footer) this.#checkSummary(start, whole);
      this.#top(op, start + prefixBytes, start + whole);
      window.start += whole;
      if (op === opcode.dataEnd) {
        window.restartCrc();
        this.#inSummary = true;
      }
      if (op === opcode.footer) {
        this.#ended = true;
        return 0;
      }
      // After the same record on every machine, however much of the file happened to be read.
      if (this.isFull) return 0;
    }
  }

  #isAttachment(): boolean {
    const { available, bytes, start } = this.#window;
    return available >= prefixBytes && bytes[start] === opcode.attachment;
  }

  #top(op: number, start: number, end: number): void {
    const { bytes, view } = this.#window;
    if (op === opcode.chunk) this.#chunk(start, end);
    else if (op === opcode.message) this.#message(bytes, view, start, end, this.#window.offset);
    else this.#other(op, bytes, view, start, end, this.#window.offset);
  }

  #chunk(start: number, end: number): void {
    const { bytes, view } = this.#window;
    const place = this.#window.offset;
    this.integrity.chunks++;
    this.#target.segment++;
    try {
      const chunk = parseChunk(bytes, view, start, end);
      const packed = bytes.subarray(chunk.start, chunk.end);
      const records = unpackChunk(packed, chunk.compression, chunk.uncompressedSize);
      if (chunk.uncompressedCrc === 0) this.integrity.crcAbsent++;
      else {
        this.integrity.crcPresent++;
        if (crc32(records) !== chunk.uncompressedCrc) {
          this.integrity.crcWrong++;
          throw new AssayError('unreadable_input', 'its checksum is wrong');
        }
      }
      this.#records(records, place);
    } catch (thrown) {
      if (!(thrown instanceof AssayError) && !(thrown instanceof RangeError)) throw thrown;
      this.integrity.report(
        'chunk_unreadable',
        'error',
        `the chunk at byte ${place} was left out: ${thrown.message}`,
        'fetch the file again, or repair it (mcap recover)',
      );
    }
  }

  #records(bytes: Uint8Array, place: number): void {
    const view = viewOf(bytes);
    let at = 0;
    while (at + prefixBytes <= bytes.length) {
      const op = bytes[at];
      const length = view.getUint32(at + 5, true) * 4294967296 + view.getUint32(at + 1, true);
      const start = at + prefixBytes;
      if (op === 0 || length > bytes.length - start) {
        throw new RangeError(`it holds a record of ${length} bytes that reaches past its end`);
      }
      at = start + length;
      if (op === opcode.message) this.#message(bytes, view, start, at, place);
      else this.#other(op, bytes, view, start, at, place);
    }
  }

  #message(bytes: Uint8Array, view: DataView, start: number, end: number, place: number): void {
    const channel =
      end - start < messagePrefixBytes ? undefined : this.channels.get(view.getUint16(start, true));
    if (channel === undefined) {
      this.#lostMessage(view, start, end, place);
      return;
    }
    const recording = this.#target.recording ?? this.#begin(view.getBigUint64(start + 6, true));
    const log_ns =
      (view.getUint32(start + 10, true) - this.#baseHigh) * 4294967296 +
      (view.getUint32(start + 6, true) - this.#baseLow);
    const publish_ns =
      (view.getUint32(start + 18, true) - this.#baseHigh) * 4294967296 +
      (view.getUint32(start + 14, true) - this.#baseLow);
    this.integrity.messages++;
    recording.sawTime(log_ns);
    channel.sawSequence(view.getUint32(start + 2, true));
    const recorder = channel.recorder ?? this.channels.attach(channel, recording);
    if (recorder === null) {
      this.#leftOut(channel.record.topic);
      return;
    }
    recorder.enterSegment(this.#target.segment);
    recorder.add(bytes, view, start + messagePrefixBytes, end, log_ns, publish_ns, place);
  }

  #begin(log: bigint): Recording {
    const recording = new Recording(log, this.#path, 'log_time');
    this.#target.recording = recording;
    this.rebase();
    return recording;
  }

  #lostMessage(view: DataView, start: number, end: number, place: number): void {
    if (end - start < messagePrefixBytes) {
      this.#broken('message', place);
      return;
    }
    this.integrity.report(
      'channel_unknown',
      'error',
      `a message near byte ${place} belongs to channel ${view.getUint16(start, true)}, which is not declared`,
      'repair the file (mcap recover)',
    );
  }

  #leftOut(topic: string): void {
    this.integrity.report(
      'too_many_topics',
      'error',
      `${topic.slice(0, 200)} was left out: the recording has too many topics`,
      'record fewer topics into one file',
    );
  }

  #other(op: number, bytes: Uint8Array, view: DataView, start: number, end: number, place: number): void {
    try {
      this.#declare(op, bytes, view, start, end, place);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      this.#broken(`record of kind ${op}`, place);
    }
  }

  #declare(op: number, bytes: Uint8Array, view: DataView, start: number, end: number, place: number): void {
    switch (op) {
      case opcode.header: {
        const header = parseHeader(bytes, view, start, end);
        this.profile = header.profile;
        this.library = header.library;
        return;
      }
      case opcode.schema:
        if (this.#inSummary) this.integrity.schemas.add(view.getUint16(start, true));
        else this.channels.addSchema(parseSchema(bytes, view, start, end));
        return;
      case opcode.channel:
        if (this.#inSummary) this.integrity.channels.add(view.getUint16(start, true));
        else this.channels.addChannel(parseChannel(bytes, view, start, end), place);
        return;
      case opcode.metadata: {
        const { name, values } = parseMetadata(bytes, view, start, end);
        this.integrity.metadata++;
        if (this.metadata.length < 1024) this.metadata.push({ source: `metadata record ${name}`, values });
        return;
      }
      case opcode.statistics:
        this.integrity.statistics = parseStatistics(bytes, view, start, end);
        return;
      case opcode.attachment:
        this.integrity.attachments++;
        return;
      case opcode.chunkIndex:
        this.integrity.chunkIndexes++;
        return;
      case opcode.messageIndex:
        this.integrity.messageIndexes++;
        return;
      default:
        if (op > opcode.dataEnd) this.integrity.unknownRecords++;
    }
  }

  #checkData(declared: number | null): void {
    if (declared === null) return;
    if (declared === 0) this.integrity.dataCrc = 'absent';
    else this.integrity.dataCrc = declared === this.#window.crc ? 'present' : 'wrong';
  }

  /** The summary's CRC covers it up to the CRC itself: op code, length and the two offsets of the footer included. */
  #checkSummary(start: number, whole: number): void {
    const { bytes, view } = this.#window;
    const footer = parseGuarded(() => parseFooter(bytes, view, start + prefixBytes, start + whole));
    if (footer === null) return;
    this.integrity.sawFooter = true;
    if (footer.summaryCrc === 0) this.integrity.summaryCrc = 'absent';
    else {
      const crc = crc32(bytes.subarray(start, start + prefixBytes + 16), this.#window.crc);
      this.integrity.summaryCrc = crc === footer.summaryCrc ? 'present' : 'wrong';
    }
  }

  async #passOver(length: number): Promise<boolean> {
    const op = this.#window.bytes[this.#window.start];
    const place = this.offset;
    if (op === opcode.attachment) this.integrity.attachments++;
    else {
      this.integrity.report(
        'record_too_large',
        'error',
        `the record at byte ${place} is ${length} bytes, more than the ${maxRecordBytes} that are held at once; it was left out`,
        'write the file again with smaller chunks',
      );
    }
    if ((await this.#window.skip(length)) === length) return true;
    return this.#truncated('the file ends in the middle of a record');
  }

  #broken(what: string, place: number): void {
    this.integrity.report(
      'record_invalid',
      'error',
      `a ${what} near byte ${place} is shorter than its fields`,
      'repair the file (mcap recover)',
    );
  }

  #corrupt(message: string): void {
    this.integrity.report('file_corrupt', 'error', message, 'repair the file (mcap recover)');
  }

  #truncated(why: string): false {
    this.#ended = true;
    this.integrity.report(
      'file_truncated',
      'error',
      `the file is whole up to byte ${this.offset}: ${why}`,
      'what was written until then is read; the recorder was stopped hard, or the copy broke off',
    );
    return false;
  }
}

function parseGuarded<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}
