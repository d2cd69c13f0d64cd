import type { Finding } from '#core/episode';
import type { WalkTarget } from '../shared/bags/log-walk.ts';
import type { UnpackResult } from '../shared/compression/unpacked.ts';
import { FindingList } from '../shared/finding-lists.ts';
import { viewOf } from '../shared/messages/decoders/message-compression.ts';
import { Recording, reportTopicLimit } from '../shared/messages/recording.ts';
import type { BagIndex, BagStart } from './bag-start.ts';
import { type Connection, ConnectionTable } from './connections.ts';
import {
  type BagHeader,
  type ConnectionRecord,
  maxHeadBytes,
  opcode,
  parseConnection,
  RecordHead,
} from './records.ts';

/** Handles the records of one bag: messages go to the recording, connections are stored, the rest is counted. */
export class RecordHandler {
  readonly connections = new ConnectionTable();
  readonly #integrity: Integrity;
  readonly #target: WalkTarget;
  readonly #head = new RecordHead();
  #baseSec = 0;
  #baseNsec = 0;

  constructor(integrity: Integrity, target: WalkTarget) {
    this.#integrity = integrity;
    this.#target = target;
  }

  /** Resets connection recorders and the time base; call after every change of the target's recording. */
  rebase(): void {
    this.connections.detach();
    const base = this.#target.recording?.base;
    this.#baseSec = base?.sec ?? 0;
    this.#baseNsec = base?.nsec ?? 0;
  }

  /**
   * Handles one record whose header is parsed; its data lies in bytes `start` to before `end`, and `offset` is its
   * offset in the file. Unknown records are counted.
   */
  handle(
    head: RecordHead,
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    offset: number,
  ): void {
    switch (head.op) {
      case opcode.message:
        this.#handleMessage(head, bytes, view, start, end, offset);
        return;
      case opcode.connection:
        this.#handleConnection(head, bytes, view, start, end, offset);
        return;
      case opcode.indexData:
      case opcode.chunkInfo:
      case opcode.bagHeader:
        return;
      default:
        this.#integrity.unknownRecords++;
    }
  }

  /**
   * Handles the records of a compressed chunk; damaged ones are skipped and reported, but not those behind the cut of a
   * truncated chunk (`missing` is not 0).
   */
  handleChunk(
    { offset, missing }: { readonly offset: number; readonly missing: number | null },
    unpack: () => UnpackResult,
  ): void {
    const leftOut = (what: string) =>
      this.#integrity.reportSkipped('chunk_unreadable', `the chunk at byte ${offset} was skipped${what}`);
    try {
      const { bytes, fault } = unpack();
      if (fault !== null && missing === 0) throw fault;
      const taken = this.#handleChunkRecords(bytes, offset);
      if (taken < bytes.length && missing === 0)
        leftOut(` from byte ${taken} of its ${bytes.length} bytes on: no valid record`);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      leftOut(`: ${thrown.message}`);
    }
  }

  /**
   * Handles the complete records of a decompressed chunk and returns how many bytes they fill. `offset`: offset of the
   * chunk.
   */
  #handleChunkRecords(bytes: Uint8Array, offset: number): number {
    const view = viewOf(bytes);
    const head = this.#head;
    let at = 0;
    while (bytes.length - at >= 8) {
      const headEnd = at + 4 + view.getUint32(at, true);
      if (headEnd - at > maxHeadBytes || headEnd + 4 > bytes.length) break;
      const end = headEnd + 4 + view.getUint32(headEnd, true);
      if (end > bytes.length || !head.scan(bytes, view, at + 4, headEnd) || head.op === 0) break;
      this.handle(head, bytes, view, headEnd + 4, end, offset);
      at = end;
    }
    return at;
  }

  /** Registers a connection declared at byte `offset`; problems with its declaration are reported. */
  addConnection(record: ConnectionRecord, offset: number): void {
    const wrong = this.connections.add(record);
    if (wrong === null) return;
    const { code, message } = wrong;
    const advice = 'record again with message definitions, or check which program wrote the bag';
    this.#integrity.report(code, 'warning', `${message.slice(0, 400)} (byte ${offset})`, advice);
  }

  #handleMessage(
    head: RecordHead,
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    offset: number,
  ): void {
    const connection = this.connections.get(head.connection);
    if (connection === undefined || head.sec < 0) {
      this.#reportLostMessage(head, offset);
      return;
    }
    const recording = this.#target.recording ?? this.#startRecording(head);
    const log_ns = (head.sec - this.#baseSec) * 1e9 + (head.nsec - this.#baseNsec);
    this.#integrity.messages++;
    connection.messages++;
    recording.observeTime(log_ns);
    const recorder = connection.recorder ?? this.connections.attach(connection, recording);
    if (recorder === null) {
      reportTopicLimit(this.#integrity, connection.record.topic);
      return;
    }
    recorder.enterSegment(this.#target.segment);
    recorder.add(bytes, view, start, end, log_ns, log_ns, offset);
  }

  #startRecording({ sec, nsec }: RecordHead): Recording {
    const base_ns = BigInt(sec) * 1_000_000_000n + BigInt(nsec);
    const { topics } = this.#target;
    const recording = new Recording(base_ns, this.#integrity.path, 'log_time', { topics });
    this.#target.recording = recording;
    this.rebase();
    return recording;
  }

  #handleConnection(
    head: RecordHead,
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    offset: number,
  ): void {
    try {
      this.addConnection(parseConnection(head, bytes, view, start, end), offset);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      this.#integrity.report(
        'record_invalid',
        'error',
        `invalid connection record near byte ${offset}: ${thrown.message}`,
        'messages of this connection are lost; record again',
      );
    }
  }

  #reportLostMessage({ connection, sec }: RecordHead, offset: number): void {
    if (connection < 0 || sec < 0) {
      this.#integrity.report(
        'record_invalid',
        'error',
        `a message near byte ${offset} has no ${sec < 0 ? 'timestamp' : 'connection'}`,
        'the message was skipped; record again',
      );
      return;
    }
    this.#integrity.report(
      'connection_unknown',
      'error',
      `a message near byte ${offset} belongs to connection ${connection}, which is not declared`,
      'its topic and type are unknown; rebuild the index (rosbag reindex), or record again',
    );
  }
}

/** Counters and faults of one bag, collected while it is read and turned into findings at the end. */
export class Integrity extends FindingList {
  messages = 0;
  chunks = 0;
  unknownRecords = 0;
  #isTruncated = false;
  /** Index of the bag; null if it could not be read. */
  index: BagIndex | null = null;

  /** Reports that the file of `size` bytes ends before the bag does, and remembers it for `checkEnd`. */
  reportTruncated(size: number, why: string, { index, chunks }: BagHeader): void {
    const declared =
      index >= size
        ? `; its header declares ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'} and an index at byte ${index}`
        : '';
    this.#isTruncated = true;
    this.report(
      'file_truncated',
      'error',
      `the file is truncated at byte ${size}: ${why}${declared}`,
      'everything before that is read; the recorder was killed, or the copy is incomplete',
    );
  }

  /** Reports that no record begins at byte `offset`, and what was done about it. */
  reportCorrupt(offset: number, why: string, outcome: string): void {
    const message = `expected a record at byte ${offset}: ${why}; ${outcome}`;
    this.report('file_corrupt', 'error', message, 'copy the file again, or record again');
  }

  /** Reports skipped bytes between indexed chunks; a loss of messages shows in the comparison with the index. */
  reportGap(offset: number, why: string, length: number): void {
    this.report(
      'file_corrupt',
      'warning',
      `expected a record at byte ${offset}: ${why}; the ${length} bytes up to the next indexed chunk were skipped`,
      'nothing to do if the message counts match the index',
    );
  }

  /** Reports data that was left out. */
  reportSkipped(code: string, message: string): void {
    this.report(code, 'error', message, 'copy the file again, or record again');
  }

  /**
   * Reports what is wrong at the end of a bag of `size` bytes: missing or unreadable index, truncation, trailing bytes.
   */
  checkEnd(size: number, { header, index }: BagStart): void {
    if (index !== null) {
      if (index.end < size) this.#reportTrailingBytes(size, index.end);
    } else if (header.index === 0) {
      this.report(
        'bag_unindexed',
        'warning',
        'the bag was never closed: it has no index, and its header has no counts',
        'its records were read one by one; if it is still being recorded, wait until the recording ends',
      );
    } else if (header.index < size) {
      this.report(
        'index_unreadable',
        'warning',
        `the index at byte ${header.index} is incomplete: the header declares ${header.connections} connections and ${header.chunks} chunks`,
        'records were read one by one; rebuild the index (rosbag reindex)',
      );
    } else if (!this.#isTruncated) this.reportTruncated(size, 'its last record is complete', header);
  }

  #reportTrailingBytes(size: number, end: number): void {
    this.report(
      'bytes_after_end',
      'warning',
      `${size - end} extra bytes after the end of the bag at byte ${end}`,
      'nothing to do if rosbag reindex left them; if two bags were concatenated, split them',
    );
  }

  /**
   * Returns all findings of the bag, including the comparison with its index; call once. `used`: connections with
   * messages.
   */
  findings(used: readonly Connection[]): Finding[] {
    if (this.index !== null) this.#compareWithIndex(this.index, used);
    if (this.unknownRecords > 0) {
      this.report(
        'records_unknown',
        'info',
        `${this.unknownRecords} records of unknown types were skipped`,
        'nothing to do',
      );
    }
    this.report(
      'crc_absent',
      'info',
      'the bag format has no checksums over messages, so corruption is detected only in compressed chunks',
      'nothing to do; to detect corruption, store checksums of the files next to them',
    );
    return this.all();
  }

  /** Compares the message and chunk counts of the index with those found. */
  #compareWithIndex(index: BagIndex, used: readonly Connection[]): void {
    const counted = new Map(used.map((connection) => [connection.record.id, connection]));
    const declared = index.messages.values().reduce((sum, count) => sum + count, 0);
    const wrong = [...index.messages].filter(([id, count]) => count !== (counted.get(id)?.messages ?? 0));
    if (wrong.length === 0 && declared === this.messages && index.chunks.length === this.chunks) return;
    const topics = wrong.slice(0, 16).map(([id, count]) => {
      const topic = index.connections.find((one) => one.id === id)?.topic ?? `connection ${id}`;
      return [topic, { declared: count, counted: counted.get(id)?.messages ?? 0 }] as const;
    });
    this.report(
      'index_mismatch',
      declared === this.messages ? 'info' : 'error',
      `the index does not match the bag: it declares ${declared} messages in ${index.chunks.length} chunks; found ${this.messages} in ${this.chunks}`,
      'find out where messages were lost, or rebuild the index (rosbag reindex)',
      { topics: Object.fromEntries(topics) },
    );
  }
}
