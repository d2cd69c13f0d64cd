import type { WalkTarget } from '../../shared/bags/log-walk.ts';
import type { Unpacked } from '../../shared/compression/unpacked.ts';
import { viewOf } from '../../shared/messages/decoders/message-compression.ts';
import { Recording } from '../../shared/messages/recording.ts';
import { leftOutTopic } from '../../shared/messages/recording-findings.ts';
import { ConnectionTable } from './connections.ts';
import type { Integrity } from './integrity.ts';
import { type ConnectionRecord, connectionOf, maxHeadBytes, opcode, RecordHead } from './records.ts';

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
