import type { RecordWindow } from '#io/sources';
import { UnpackAhead } from '../../shared/compression/threads/unpack-ahead.ts';
import type { Unpacked } from '../../shared/compression/unpacked.ts';
import { viewOf } from '../../shared/messages/decoders/message-compression.ts';
import { isSlow, mostBytes } from './chunk-bytes.ts';
import { maxHeadBytes, opcode, RecordHead } from './records.ts';

/** A thread is not worth its start for fewer packed bytes. */
const bytesPerThread = 1024 * 1024;
/** More are not kept busy by one thread that decodes. */
const maxThreads = 4;
/** How far behind a chunk the window reaches: at least, and after it was filled. */
const reachBytes = { least: 1024 * 1024, most: 3 * 1024 * 1024 };

/** Has the chunks that lie behind one in the window unpacked by threads, where unpacking is what takes long. */
export class ChunksAhead {
  readonly #window: RecordWindow;
  readonly #unpacking: UnpackAhead | null;
  readonly #head = new RecordHead();
  /** Place in the file of the first record that was not looked at. */
  #next = 0;
  /** More was asked for than the chunk at hand. */
  #reached = false;
  #mayReach = true;

  /** Of a file of `bytes`, with so many `threads` that may be kept busy, the calling one among them. */
  constructor(window: RecordWindow, bytes: number, threads: number) {
    const more = Math.min(threads - 1, maxThreads, Math.floor(bytes / bytesPerThread));
    this.#window = window;
    this.#unpacking = more > 0 ? new UnpackAhead(more) : null;
  }

  /** Bytes to have in the window before a chunk of `length` bytes is taken, where `room` are left of the bag. */
  wanted(compression: string, length: number, room: number): number {
    this.#reached = this.#unpacking !== null && this.#mayReach && isSlow(compression);
    if (!this.#reached) return length;
    this.#window.reserve(length + reachBytes.most);
    return Math.min(room, length + reachBytes.least);
  }

  /** Where less came than was wanted: true when only chunks behind the one at hand lack, which are left alone from now on. */
  reachLess(): boolean {
    const reached = this.#reached;
    this.#reached = false;
    this.#mayReach = false;
    return reached;
  }

  /** Has the whole chunks behind `place` unpacked, as far as they lie in the window and before `end`. */
  lookBehind(place: number, end: number): void {
    if (this.#unpacking === null) return;
    const { offset, available } = this.#window;
    const limit = Math.min(offset + available, end);
    this.#next = Math.max(this.#next, place);
    for (;;) {
      const length = this.#measure(this.#next, limit);
      if (length === 0 || !this.#offer(this.#unpacking, this.#next, length)) return;
      this.#next += length;
    }
  }

  /** The chunk at `place` as it came out; null: it was not offered. */
  take(place: number): Promise<Unpacked> | null {
    return this.#unpacking?.take(place) ?? null;
  }

  async close(): Promise<void> {
    await this.#unpacking?.close();
  }

  /** Bytes of the record at `place`, whose head is scanned; 0: no record lies whole before `limit`. */
  #measure(place: number, limit: number): number {
    const { bytes, view } = this.#window;
    const at = this.#at(place);
    const room = limit - place;
    if (room < 8) return 0;
    const headLength = view.getUint32(at, true);
    const prefix = 8 + headLength;
    if (headLength > maxHeadBytes || prefix > room) return 0;
    const whole = prefix + view.getUint32(at + prefix - 4, true);
    return whole <= room && this.#head.scan(bytes, view, at + 4, at + 4 + headLength) ? whole : 0;
  }

  /** False: no more is taken for now. Chunks that cannot be unpacked are left for the walk to speak of. */
  #offer(unpacking: UnpackAhead, place: number, length: number): boolean {
    if (this.#head.op !== opcode.chunk) return true;
    const compression = this.#head.text('compression') ?? '';
    const size = this.#head.value('size');
    if (!isSlow(compression) || size?.length !== 4) return true;
    const { bytes, view } = this.#window;
    const at = this.#at(place);
    const packed = bytes.subarray(at + 8 + view.getUint32(at, true), at + length);
    const most = viewOf(size).getUint32(0, true);
    // Behind a chunk whose length the recorder never wrote lie its own bytes.
    if (packed.length === 0) return false;
    return most > mostBytes(compression, packed.length) || unpacking.offer(place, packed, most);
  }

  #at(place: number): number {
    return this.#window.start + place - this.#window.offset;
  }
}
