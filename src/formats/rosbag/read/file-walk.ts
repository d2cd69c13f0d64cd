import { type ByteSource, RecordWindow } from '#io/sources';
import { isFull, type WalkTarget } from '../../shared/bags/log-walk.ts';
import type { Unpacked } from '../../shared/compression/unpacked.ts';
import type { BagStart } from './bag-start.ts';
import { heldAgainst, maxChunkBytes, unpackChunk } from './chunk-bytes.ts';
import { ChunksAhead } from './chunks-ahead.ts';
import { Integrity, RecordTaker } from './record-taker.ts';
import { maxHeadBytes, opcode, RecordHead } from './records.ts';

/** A record that has to be held whole may be as large as a chunk and its head. */
const maxRecordBytes = maxChunkBytes + maxHeadBytes;

const shrank = 'it became shorter while it was read';
const firstRecordCut = 'its first record is not whole';

/** A chunk whose records lie there plainly and are walked one by one. */
interface OpenChunk {
  readonly place: number;
  readonly end: number;
  /** Bytes of it that the file has no more; null: the recorder never wrote how long it is. */
  readonly missing: number | null;
  /** How many messages were read before it. */
  readonly messages: number;
}

interface ComingChunk {
  readonly chunk: OpenChunk;
  readonly size: number;
  readonly unpacking: Promise<Unpacked>;
}

/**
 * Walks one bag from its first chunk to its index, record by record: a bag without index reads like any other, and a
 * truncated one as far as it goes. Chunks that are not compressed are walked in place, so that of one that is cut
 * every whole message is read.
 */
export class FileWalk {
  readonly integrity: Integrity;
  readonly records: RecordTaker;
  readonly #window: RecordWindow;
  readonly #bag: BagStart;
  readonly #size: number;
  readonly #target: WalkTarget;
  readonly #ahead: ChunksAhead;
  readonly #head = new RecordHead();
  #dataStart = 0;
  #chunk: OpenChunk | null = null;
  /** A chunk that a thread unpacks: the walk pauses for it. */
  #coming: ComingChunk | null = null;
  #pass: number;
  #why = '';
  #short = false;
  #nextChunk = 0;
  #ended = false;

  /** `source` stands at the first byte of the file whose start `bag` holds. */
  constructor(source: ByteSource, path: string, bag: BagStart, target: WalkTarget) {
    this.#bag = bag;
    this.#size = source.stored;
    this.#target = target;
    this.#window = new RecordWindow(source);
    this.#ahead = new ChunksAhead(this.#window, source.stored, target.threads);
    this.#pass = bag.firstRecord;
    this.integrity = new Integrity(path);
    this.integrity.index = bag.index;
    this.records = new RecordTaker(this.integrity, target);
    for (const connection of bag.index?.connections ?? []) this.records.declare(connection, bag.header.index);
  }

  /** Bytes walked so far. */
  get offset(): number {
    return this.#window.offset;
  }

  /** The recording holds as much as it may, and should be closed before the next step. */
  get isFull(): boolean {
    return isFull(this.#target);
  }

  /** Ends the threads that unpack, however far the walk came. */
  close(): Promise<void> {
    return this.#ahead.close();
  }

  /** Walks what lies in the window, and reads on. False: the bag is at its end. */
  async step(): Promise<boolean> {
    const passed = this.#pass === 0 ? 0 : await this.#window.skip(this.#pass);
    // Only the first record is passed over by a length of its own, which may reach past the end.
    if (passed < this.#pass) return this.#truncated(this.offset < this.#size ? shrank : firstRecordCut);
    this.#pass = 0;
    const wanted = this.#walk();
    if (this.#coming !== null) await this.#receive(this.#coming);
    if (this.#ended) return false;
    if (wanted === 0 || (await this.#window.fill(wanted))) return true;
    return this.#ahead.reachLess() || this.#truncated(shrank);
  }

  /** After the last step: what the bag lacks at its end, or has behind it. */
  end(): void {
    this.integrity.sawEnd(this.#size, this.#bag);
  }

  /** Where records end: what follows is the index, which is read already, or nothing. */
  get #end(): number {
    return this.#bag.index?.start ?? this.#size;
  }

  /** Walks whole records of the window; the bytes that the next one needs, 0 for a pause. */
  #walk(): number {
    const window = this.#window;
    for (;;) {
      if (this.#chunk !== null && window.offset >= this.#chunk.end && this.#closeChunk(this.#chunk)) return 0;
      if (window.offset >= this.#end) this.#ended = true;
      if (this.#ended) return 0;
      const wanted = this.#measure();
      if (wanted < 0) return this.#broken();
      if (wanted > maxRecordBytes) return this.#passOver(wanted, 'record_too_large');
      if (wanted > window.available) return wanted;
      if (this.#startsChunk) {
        const more = this.#openChunk();
        if (more > 0 || this.#pass > 0 || this.#ended || this.#coming !== null) return more;
        continue;
      }
      const { bytes, view, start } = window;
      this.records.take(this.#head, bytes, view, this.#dataStart, start + wanted, window.offset);
      window.start += wanted;
      if (this.#mayPause && this.isFull) return 0;
    }
  }

  /** An episode is closed between chunks, so that compression makes no difference; in a huge one anywhere. */
  get #mayPause(): boolean {
    return this.#chunk === null || this.#chunk.end - this.#chunk.place > maxChunkBytes;
  }

  /**
   * Bytes of the next record, as far as they can be told from what is there: with so many more may be known. Of a
   * chunk only its head. -1: no record lies here, or not all of it; `#why` says so.
   */
  #measure(): number {
    const { view, bytes, start, available, offset } = this.#window;
    const room = (this.#chunk?.end ?? this.#end) - offset;
    if (room < 8) return this.#refuse(`${room} bytes are left, too few for a record`, true);
    if (available < 4) return 4;
    const headLength = view.getUint32(start, true);
    if (headLength > maxHeadBytes) return this.#refuse(`no record has a head of ${headLength} bytes`);
    const prefix = 8 + headLength;
    if (prefix > room)
      return this.#refuse(`a record of ${prefix} bytes or more starts where only ${room} are left`, true);
    if (available < prefix) return prefix;
    this.#dataStart = start + prefix;
    if (!this.#head.scan(bytes, view, start + 4, start + 4 + headLength) || this.#head.op === 0)
      return this.#refuse('what lies there is no record');
    if (this.#startsChunk) return prefix;
    const whole = prefix + view.getUint32(start + prefix - 4, true);
    if (whole <= room) return whole;
    return this.#refuse(`a record of ${whole} bytes starts where only ${room} are left`, true);
  }

  get #startsChunk(): boolean {
    return this.#head.op === opcode.chunk && (this.#chunk === null || this.#chunk.missing === null);
  }

  #refuse(why: string, short = false): -1 {
    this.#why = why;
    this.#short = short;
    return -1;
  }

  /** Enters the chunk whose head lies in the window, or takes it whole; the bytes that this needs. */
  #openChunk(): number {
    const window = this.#window;
    const prefix = this.#dataStart - window.start;
    const whole = prefix + window.view.getUint32(this.#dataStart - 4, true);
    const room = this.#end - window.offset;
    if (whole > room && this.#bag.index !== null) {
      this.#refuse(`a chunk of ${whole} bytes starts where only ${room} are left`);
      return this.#broken();
    }
    // The recorder writes the length of a chunk when it closes it.
    const isUnfinished = whole === prefix && this.#bag.index === null;
    const there = isUnfinished ? room : Math.min(whole, room);
    const place = window.offset;
    const missing = isUnfinished ? null : whole - there;
    const chunk = { place, end: place + there, missing, messages: this.integrity.messages };
    const compression = this.#head.text('compression') ?? '';
    if (compression !== 'none') {
      if (there > maxRecordBytes) return this.#passOver(there, 'chunk_unreadable');
      const wanted = this.#ahead.wanted(compression, there, room);
      if (wanted > window.available) return wanted;
      this.#unpack(chunk, compression);
      if (this.#coming !== null) return 0;
    } else window.start += prefix;
    this.#enter(chunk);
    return 0;
  }

  #enter(chunk: OpenChunk): void {
    this.integrity.chunks++;
    this.#target.segment++;
    this.#chunk = chunk;
  }

  /** Takes the records of a compressed chunk, or leaves them to be received from a thread. */
  #unpack(chunk: OpenChunk, compression: string): void {
    const window = this.#window;
    const end = window.start + chunk.end - chunk.place;
    const packed = window.bytes.subarray(this.#dataStart, end);
    this.#ahead.lookBehind(chunk.end, this.#end);
    window.start = end;
    const unpacking = this.#ahead.take(chunk.place);
    if (unpacking !== null) this.#coming = { chunk, size: this.#head.u32('size'), unpacking };
    else {
      this.records.takeChunk(chunk, () => {
        const size = chunk.missing === null ? null : this.#head.u32('size');
        return unpackChunk(packed, compression, size);
      });
    }
  }

  async #receive({ chunk, size, unpacking }: ComingChunk): Promise<void> {
    const unpacked = await unpacking;
    this.#coming = null;
    this.records.takeChunk(chunk, () => heldAgainst(size, unpacked));
    this.#enter(chunk);
  }

  /** True: the walk has to pause. */
  #closeChunk(chunk: OpenChunk): boolean {
    this.#chunk = null;
    if (chunk.missing !== 0) this.#cut(chunk);
    return this.#ended || this.isFull;
  }

  /** Says what is wrong at the window's start, and where reading goes on. */
  #broken(): 0 {
    const { offset } = this.#window;
    if (this.#chunk !== null) {
      const { place, end, missing } = this.#chunk;
      if (missing !== 0) {
        this.#cut(this.#chunk);
        return 0;
      }
      this.integrity.leftOut(
        'chunk_unreadable',
        `the chunk at byte ${place} was left out from byte ${offset} on, its last ${end - offset} bytes: ${this.#why}`,
      );
      this.#pass = end - offset;
      return 0;
    }
    const { index } = this.#bag;
    if (index === null) {
      if (this.#short) this.#truncated(this.#why);
      else
        this.integrity.sawCorrupt(offset, this.#why, `nothing more was read, ${this.#size - offset} bytes`);
      this.#ended = true;
      return 0;
    }
    this.#pass = this.#toNextChunk(index.chunks);
    this.integrity.sawGap(offset, this.#why, this.#pass);
    return 0;
  }

  /** How far it is to the next chunk that the index knows, or to the index itself. */
  #toNextChunk(chunks: readonly number[]): number {
    const { offset } = this.#window;
    while (this.#nextChunk < chunks.length && chunks[this.#nextChunk] <= offset) this.#nextChunk++;
    return Math.min(chunks[this.#nextChunk] ?? this.#end, this.#end) - offset;
  }

  #passOver(length: number, code: string): 0 {
    const limit = `no more than ${maxRecordBytes} are held at once`;
    this.integrity.leftOut(code, `${length} bytes at byte ${this.offset} were left out: ${limit}`);
    this.#pass = length;
    return 0;
  }

  #cut({ place, end, missing, messages }: OpenChunk): void {
    const read = this.integrity.messages - messages;
    const lost =
      missing === null
        ? `the chunk at byte ${place} was never finished`
        : `of the chunk at byte ${place} the last ${missing} of ${end - place + missing} bytes are missing`;
    this.#truncated(`${lost}; ${read} messages of it were read`);
  }

  #truncated(why: string): false {
    this.#ended = true;
    this.integrity.sawCut(this.#size, why, this.#bag.header);
    return false;
  }
}
