import type { Finding } from '#core/episode';
import type { WalkTarget } from '../../shared/bags/log-walk.ts';
import type { Unpacked } from '../../shared/compression/unpacked.ts';
import { FindingList } from '../../shared/finding-list.ts';
import { viewOf } from '../../shared/messages/decoders/message-compression.ts';
import { leftOutTopic, Recording } from '../../shared/messages/recording.ts';
import type { BagIndex, BagStart } from './bag-start.ts';
import { type Connection, ConnectionTable } from './connections.ts';
import {
  type BagHeader,
  type ConnectionRecord,
  connectionOf,
  maxHeadBytes,
  opcode,
  RecordHead,
} from './records.ts';

/** Takes the records of one bag: messages go to the recording, connections are remembered, the rest is counted. */
export class RecordTaker {
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

  /** Follows every change of the target's recording. */
  rebase(): void {
    this.connections.detach();
    const base = this.#target.recording?.base;
    this.#baseSec = base?.sec ?? 0;
    this.#baseNsec = base?.nsec ?? 0;
  }

  /** One record whose head is read already: its data lies in [start, end) of `bytes`, the record itself at `place`. */
  take(head: RecordHead, bytes: Uint8Array, view: DataView, start: number, end: number, place: number): void {
    switch (head.op) {
      case opcode.message:
        this.#message(head, bytes, view, start, end, place);
        return;
      case opcode.connection:
        this.#connection(head, bytes, view, start, end, place);
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
   * Takes the records of a compressed chunk; what is wrong with them is left out and told. Of one that is cut
   * (`missing` is not 0), what comes out is right as far as it goes.
   */
  takeChunk(
    { place, missing }: { readonly place: number; readonly missing: number | null },
    unpack: () => Unpacked,
  ): void {
    const leftOut = (what: string) =>
      this.#integrity.leftOut('chunk_unreadable', `the chunk at byte ${place} was left out${what}`);
    try {
      const { bytes, fault } = unpack();
      if (fault !== null && missing === 0) throw fault;
      const taken = this.#takeAll(bytes, place);
      if (taken < bytes.length && missing === 0)
        leftOut(` from byte ${taken} of its ${bytes.length} on: what lies there is no record`);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      leftOut(`: ${thrown.message}`);
    }
  }

  /** Every whole record of an unpacked chunk; how many bytes they fill. `place` is where the chunk lies. */
  #takeAll(bytes: Uint8Array, place: number): number {
    const view = viewOf(bytes);
    const head = this.#head;
    let at = 0;
    while (bytes.length - at >= 8) {
      const headEnd = at + 4 + view.getUint32(at, true);
      if (headEnd - at > maxHeadBytes || headEnd + 4 > bytes.length) break;
      const end = headEnd + 4 + view.getUint32(headEnd, true);
      if (end > bytes.length || !head.scan(bytes, view, at + 4, headEnd) || head.op === 0) break;
      this.take(head, bytes, view, headEnd + 4, end, place);
      at = end;
    }
    return at;
  }

  declare(record: ConnectionRecord, place: number): void {
    const wrong = this.connections.add(record);
    if (wrong === null) return;
    const { code, message } = wrong;
    const advice = 'record again with message definitions, or find out what wrote the bag';
    this.#integrity.report(code, 'warning', `${message.slice(0, 400)} (byte ${place})`, advice);
  }

  #message(
    head: RecordHead,
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    place: number,
  ): void {
    const connection = this.connections.get(head.connection);
    if (connection === undefined || head.sec < 0) {
      this.#lost(head, place);
      return;
    }
    const recording = this.#target.recording ?? this.#begin(head);
    const log_ns = (head.sec - this.#baseSec) * 1e9 + (head.nsec - this.#baseNsec);
    this.#integrity.messages++;
    connection.messages++;
    recording.sawTime(log_ns);
    const recorder = connection.recorder ?? this.connections.attach(connection, recording);
    if (recorder === null) {
      leftOutTopic(this.#integrity, connection.record.topic);
      return;
    }
    recorder.enterSegment(this.#target.segment);
    recorder.add(bytes, view, start, end, log_ns, log_ns, place);
  }

  #begin({ sec, nsec }: RecordHead): Recording {
    const base_ns = BigInt(sec) * 1_000_000_000n + BigInt(nsec);
    const recording = new Recording(base_ns, this.#integrity.path, 'log_time');
    this.#target.recording = recording;
    this.rebase();
    return recording;
  }

  #connection(
    head: RecordHead,
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    place: number,
  ): void {
    try {
      this.declare(connectionOf(head, bytes, view, start, end), place);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      this.#integrity.report(
        'record_invalid',
        'error',
        `the connection near byte ${place} cannot be read: ${thrown.message}`,
        'messages of this connection are lost; record again',
      );
    }
  }

  #lost({ connection, sec }: RecordHead, place: number): void {
    if (connection < 0 || sec < 0) {
      this.#integrity.report(
        'record_invalid',
        'error',
        `a message near byte ${place} does not say ${sec < 0 ? 'when' : 'by which connection'} it came`,
        'it was left out; record again',
      );
      return;
    }
    this.#integrity.report(
      'connection_unknown',
      'error',
      `a message near byte ${place} came by connection ${connection}, which is not declared`,
      'its topic and type are not known; build the index again (rosbag reindex), or record again',
    );
  }
}

/** What was seen of one bag while it was walked: counts and checks, findings in the end. */
export class Integrity extends FindingList {
  messages = 0;
  chunks = 0;
  unknownRecords = 0;
  #isCut = false;
  /** null: the bag has none that could be read. */
  index: BagIndex | null = null;

  /** The file ends before the bag does. */
  sawCut(size: number, why: string, { index, chunks }: BagHeader): void {
    const promised =
      index >= size
        ? `; its header promises ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'} and an index at byte ${index}`
        : '';
    this.#isCut = true;
    this.report(
      'file_truncated',
      'error',
      `the file ends early, at byte ${size}: ${why}${promised}`,
      'what lies before is read; the recorder was stopped hard, or the copy broke off',
    );
  }

  sawCorrupt(place: number, why: string, outcome: string): void {
    const message = `byte ${place} should start a record: ${why}; ${outcome}`;
    this.report('file_corrupt', 'error', message, 'fetch the file again, or record again');
  }

  /** Between the chunks that the index knows; whether messages were lost there is for its counts to say. */
  sawGap(place: number, why: string, length: number): void {
    this.report(
      'file_corrupt',
      'warning',
      `byte ${place} should start a record: ${why}; the ${length} bytes up to what the index knows were passed over`,
      'nothing to do where the counts of the index fit',
    );
  }

  leftOut(code: string, message: string): void {
    this.report(code, 'error', message, 'fetch the file again, or record again');
  }

  /** What a bag of `size` bytes lacks at its end, or has behind it. */
  sawEnd(size: number, { header, index }: BagStart): void {
    if (index !== null) {
      if (index.end < size) this.#sawMore(size, index.end);
    } else if (header.index === 0) {
      this.report(
        'bag_unindexed',
        'warning',
        'the bag was never closed: it has no index, and its header counts nothing',
        'its records were read one by one; if it is still being recorded, wait for the end',
      );
    } else if (header.index < size) {
      this.report(
        'index_unreadable',
        'warning',
        `the index at byte ${header.index} is not whole: ${header.connections} connections and ${header.chunks} chunks should be in it`,
        'its records were read one by one; build the index again (rosbag reindex)',
      );
    } else if (!this.#isCut) this.sawCut(size, 'its last record is whole', header);
  }

  #sawMore(size: number, end: number): void {
    this.report(
      'bytes_after_end',
      'warning',
      `${size - end} bytes lie behind the end of the bag at byte ${end}`,
      'nothing to do where rosbag reindex left them; if two bags were joined, take them apart',
    );
  }

  findings(used: readonly Connection[]): Finding[] {
    if (this.index !== null) this.#against(this.index, used);
    if (this.unknownRecords > 0) {
      this.report(
        'records_unknown',
        'info',
        `${this.unknownRecords} records of kinds that the format does not have were passed over`,
        'nothing to do',
      );
    }
    this.report(
      'crc_absent',
      'info',
      'the format carries no checksum over messages: beyond what compression checks, whether they are as written cannot be verified',
      'nothing to do; keep checksums of the files beside them',
    );
    return this.all();
  }

  /** Holds what the index says against what was found. */
  #against(index: BagIndex, used: readonly Connection[]): void {
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
      `the index does not fit what is in the bag: ${declared} messages in ${index.chunks.length} chunks declared, ${this.messages} in ${this.chunks} found`,
      'find out where messages were lost, or build the index again (rosbag reindex)',
      { topics: Object.fromEntries(topics) },
    );
  }
}
