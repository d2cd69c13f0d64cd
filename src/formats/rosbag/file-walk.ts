import { type ByteSource, RecordWindow } from '#io/sources';
import { isFull, type WalkTarget } from '../shared/bags/log-walk.ts';
import type { UnpackResult } from '../shared/compression/unpacked.ts';
import type { BagStart } from './bag-start.ts';
import { checkUnpackedSize, maxChunkBytes, unpackChunk } from './chunk-bytes.ts';
import { ChunksAhead } from './chunks-ahead.ts';
import { Integrity, RecordHandler } from './record-handler.ts';
import { maxHeadBytes, opcode, RecordHead } from './records.ts';

/** Largest record that is loaded, in bytes: a chunk and its header. */
const maxRecordBytes = maxChunkBytes + maxHeadBytes;

const shrankReason = 'it became shorter while it was read';
const firstRecordCutReason = 'its first record is incomplete';

/** An uncompressed chunk whose records are read one by one. */
interface OpenChunk {
  readonly offset: number;
  readonly end: number;
  /** Missing bytes at the end of the file; null if the recorder never wrote the chunk length. */
  readonly missing: number | null;
  /** Number of messages read before this chunk. */
  readonly messages: number;
}

/** A chunk that a worker thread decompresses. */
interface PendingChunk {
  readonly chunk: OpenChunk;
  readonly size: number;
  readonly unpacking: Promise<UnpackResult>;
}

/**
 * Reads one bag from its first chunk to its index, record by record. Bags without an index are read the same way;
 * truncated ones up to the cut. Uncompressed chunks are read in place, so that every complete message of a truncated
 * chunk is read.
 */
export class FileWalk {
  readonly integrity: Integrity;
  readonly records: RecordHandler;
  readonly #window: RecordWindow;
  readonly #bag: BagStart;
  readonly #size: number;
  readonly #target: WalkTarget;
  readonly #ahead: ChunksAhead;
  readonly #head = new RecordHead();
  #dataStart = 0;
  #chunk: OpenChunk | null = null;
  /** Chunk that a worker thread decompresses; the walk waits for it. */
  #pending: PendingChunk | null = null;
  #skipBytes: number;
  #faultReason = '';
  #isCutShort = false;
  #nextChunk = 0;
  #ended = false;

  /** Creates a walk. `source` is positioned at the first byte of the file; `bag` is its parsed start. */
  constructor(source: ByteSource, path: string, bag: BagStart, target: WalkTarget) {
    this.#bag = bag;
    this.#size = source.stored;
    this.#target = target;
    this.#window = new RecordWindow(source);
    this.#ahead = new ChunksAhead(this.#window, source.stored, target.threads);
    this.#skipBytes = bag.firstRecord;
    this.integrity = new Integrity(path);
    this.integrity.index = bag.index;
    this.records = new RecordHandler(this.integrity, target);
    for (const connection of bag.index?.connections ?? [])
      this.records.addConnection(connection, bag.header.index);
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#window.offset;
  }

  /** True if the recording has reached its size limit and must be closed before the next step. */
  get isFull(): boolean {
    return isFull(this.#target);
  }

  /** Ends the worker threads, however far the walk came. */
  close(): Promise<void> {
    return this.#ahead.close();
  }

  /**
   * Processes the buffered records and reads more; returns false at the end of the bag, or where it is truncated or
   * corrupt, which is reported.
   */
  async step(): Promise<boolean> {
    const passed = this.#skipBytes === 0 ? 0 : await this.#window.skip(this.#skipBytes);
    // Only the first record is skipped by its own length, which may extend beyond the file.
    if (passed < this.#skipBytes)
      return this.#reportTruncated(this.offset < this.#size ? shrankReason : firstRecordCutReason);
    this.#skipBytes = 0;
    const wanted = this.#walk();
    if (this.#pending !== null) await this.#receivePending(this.#pending);
    if (this.#ended) return false;
    if (wanted === 0 || (await this.#window.fill(wanted))) return true;
    return this.#ahead.stopLookingAhead() || this.#reportTruncated(shrankReason);
  }

  /** Reports, after the last step, what is missing at the end of the bag or follows after it. */
  end(): void {
    this.integrity.checkEnd(this.#size, this.#bag);
  }

  /** Offset where the data records end: the index, which is read already, or the end of the file. */
  get #end(): number {
    return this.#bag.index?.start ?? this.#size;
  }

  /** Processes complete records of the window. Returns the bytes needed for the next record, 0 to pause. */
  #walk(): number {
    const window = this.#window;
    for (;;) {
      if (this.#chunk !== null && window.offset >= this.#chunk.end && this.#closeChunk(this.#chunk)) return 0;
      if (window.offset >= this.#end) this.#ended = true;
      if (this.#ended) return 0;
      const wanted = this.#measure();
      if (wanted < 0) return this.#recoverFromFault();
      if (wanted > maxRecordBytes) return this.#skipRecord(wanted, 'record_too_large');
      if (wanted > window.available) return wanted;
      if (this.#startsChunk) {
        const more = this.#openChunk();
        if (more > 0 || this.#skipBytes > 0 || this.#ended || this.#pending !== null) return more;
        continue;
      }
      const { bytes, view, start } = window;
      this.records.handle(this.#head, bytes, view, this.#dataStart, start + wanted, window.offset);
      window.start += wanted;
      if (this.#mayPause && this.isFull) return 0;
    }
  }

  /**
   * True if an episode may be closed here: between chunks, so that compression makes no difference, or anywhere in a
   * huge chunk.
   */
  get #mayPause(): boolean {
    return this.#chunk === null || this.#chunk.end - this.#chunk.offset > maxChunkBytes;
  }

  /**
   * Returns the length of the next record, or the bytes needed to determine it. For a chunk only its header is
   * measured. Returns −1 if there is no complete record; the reason is in `#faultReason`.
   */
  #measure(): number {
    const { view, bytes, start, available, offset } = this.#window;
    const room = (this.#chunk?.end ?? this.#end) - offset;
    if (room < 8) return this.#setFault(`only ${room} bytes are left, too few for a record`, true);
    if (available < 4) return 4;
    const headLength = view.getUint32(start, true);
    if (headLength > maxHeadBytes)
      return this.#setFault(`invalid record header length of ${headLength} bytes`);
    const prefix = 8 + headLength;
    if (prefix > room)
      return this.#setFault(
        `a record of at least ${prefix} bytes starts, but only ${room} bytes are left`,
        true,
      );
    if (available < prefix) return prefix;
    this.#dataStart = start + prefix;
    if (!this.#head.scan(bytes, view, start + 4, start + 4 + headLength) || this.#head.op === 0)
      return this.#setFault('no valid record');
    if (this.#startsChunk) return prefix;
    const whole = prefix + view.getUint32(start + prefix - 4, true);
    if (whole <= room) return whole;
    return this.#setFault(`a record of ${whole} bytes starts, but only ${room} bytes are left`, true);
  }

  get #startsChunk(): boolean {
    return this.#head.op === opcode.chunk && (this.#chunk === null || this.#chunk.missing === null);
  }

  #setFault(why: string, short = false): -1 {
    this.#faultReason = why;
    this.#isCutShort = short;
    return -1;
  }

  /** Opens the chunk whose header is buffered. Returns the bytes needed to continue, 0 if none. */
  #openChunk(): number {
    const window = this.#window;
    const prefix = this.#dataStart - window.start;
    const whole = prefix + window.view.getUint32(this.#dataStart - 4, true);
    const room = this.#end - window.offset;
    if (whole > room && this.#bag.index !== null) {
      this.#setFault(`a chunk of ${whole} bytes starts, but only ${room} bytes are left`);
      return this.#recoverFromFault();
    }
    // The recorder writes the chunk length when it closes the chunk.
    const isUnfinished = whole === prefix && this.#bag.index === null;
    const there = isUnfinished ? room : Math.min(whole, room);
    const offset = window.offset;
    const missing = isUnfinished ? null : whole - there;
    const chunk = { offset, end: offset + there, missing, messages: this.integrity.messages };
    const compression = this.#head.text('compression') ?? '';
    if (compression !== 'none') {
      if (there > maxRecordBytes) return this.#skipRecord(there, 'chunk_unreadable');
      const wanted = this.#ahead.requiredBytes(compression, there, room);
      if (wanted > window.available) return wanted;
      this.#unpackChunk(chunk, compression);
      if (this.#pending !== null) return 0;
    } else window.start += prefix;
    this.#enterChunk(chunk);
    return 0;
  }

  #enterChunk(chunk: OpenChunk): void {
    this.integrity.chunks++;
    this.#target.segment++;
    this.#chunk = chunk;
  }

  /** Handles the records of a compressed chunk, or leaves them pending in a worker thread. */
  #unpackChunk(chunk: OpenChunk, compression: string): void {
    const window = this.#window;
    const end = window.start + chunk.end - chunk.offset;
    const packed = window.bytes.subarray(this.#dataStart, end);
    this.#ahead.offerChunks(chunk.end, this.#end);
    window.start = end;
    const unpacking = this.#ahead.take(chunk.offset);
    if (unpacking !== null) this.#pending = { chunk, size: this.#head.u32('size'), unpacking };
    else {
      this.records.handleChunk(chunk, () => {
        const size = chunk.missing === null ? null : this.#head.u32('size');
        return unpackChunk(packed, compression, size);
      });
    }
  }

  async #receivePending({ chunk, size, unpacking }: PendingChunk): Promise<void> {
    const unpacked = await unpacking;
    this.#pending = null;
    this.records.handleChunk(chunk, () => checkUnpackedSize(size, unpacked));
    this.#enterChunk(chunk);
  }

  /** Leaves a chunk; returns true if the walk must pause. */
  #closeChunk(chunk: OpenChunk): boolean {
    this.#chunk = null;
    if (chunk.missing !== 0) this.#reportCutChunk(chunk);
    return this.#ended || this.isFull;
  }

  /** Reports the fault at the window's start and determines where reading continues. */
  #recoverFromFault(): 0 {
    const { offset } = this.#window;
    if (this.#chunk !== null) {
      const { offset: chunkOffset, end, missing } = this.#chunk;
      if (missing !== 0) {
        this.#reportCutChunk(this.#chunk);
        return 0;
      }
      this.integrity.reportSkipped(
        'chunk_unreadable',
        `the chunk at byte ${chunkOffset} was skipped from byte ${offset} on (${end - offset} bytes): ${this.#faultReason}`,
      );
      this.#skipBytes = end - offset;
      return 0;
    }
    const { index } = this.#bag;
    if (index === null) {
      if (this.#isCutShort) this.#reportTruncated(this.#faultReason);
      else
        this.integrity.reportCorrupt(
          offset,
          this.#faultReason,
          `the remaining ${this.#size - offset} bytes were not read`,
        );
      this.#ended = true;
      return 0;
    }
    this.#skipBytes = this.#bytesToNextChunk(index.chunks);
    this.integrity.reportGap(offset, this.#faultReason, this.#skipBytes);
    return 0;
  }

  /** Returns the distance to the next chunk in the index, or to the index itself. */
  #bytesToNextChunk(chunks: readonly number[]): number {
    const { offset } = this.#window;
    while (this.#nextChunk < chunks.length && chunks[this.#nextChunk] <= offset) this.#nextChunk++;
    return Math.min(chunks[this.#nextChunk] ?? this.#end, this.#end) - offset;
  }

  #skipRecord(length: number, code: string): 0 {
    const limit = `larger than the limit of ${maxRecordBytes} bytes`;
    this.integrity.reportSkipped(code, `${length} bytes at byte ${this.offset} were skipped: ${limit}`);
    this.#skipBytes = length;
    return 0;
  }

  #reportCutChunk({ offset, end, missing, messages }: OpenChunk): void {
    const read = this.integrity.messages - messages;
    const lost =
      missing === null
        ? `the chunk at byte ${offset} was never completed`
        : `the chunk at byte ${offset} is truncated: the last ${missing} of ${end - offset + missing} bytes are missing`;
    this.#reportTruncated(`${lost}; ${read} of its messages were read`);
  }

  #reportTruncated(why: string): false {
    this.#ended = true;
    this.integrity.reportTruncated(this.#size, why, this.#bag.header);
    return false;
  }
}
