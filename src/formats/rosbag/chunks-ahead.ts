import type { RecordWindow } from '#io/sources';
import { UnpackAhead } from '../shared/compression/unpack-ahead.ts';
import type { UnpackResult } from '../shared/compression/unpacked.ts';
import { viewOf } from '../shared/messages/decoders/message-compression.ts';
import { isSlowCompression, maxUnpackedBytes } from './chunk-bytes.ts';
import { maxHeadBytes, opcode, RecordHead } from './records.ts';

/** Minimum file size per worker thread, in bytes. */
const minBytesPerThread = 1024 * 1024;
/** Maximum number of worker threads; one decoding thread does not keep more busy. */
const maxThreads = 4;
/** Bytes that are buffered beyond a chunk to find further chunks: required minimum, and reserved maximum. */
const lookAheadBytes = { min: 1024 * 1024, max: 3 * 1024 * 1024 };

/** Decompresses upcoming chunks of the window in worker threads, for compressions that are slow to decompress. */
export class ChunksAhead {
  readonly #window: RecordWindow;
  readonly #unpacking: UnpackAhead | null;
  readonly #head = new RecordHead();
  /** File offset of the first record that was not examined. */
  #next = 0;
  /** True if more bytes than the current chunk were requested. */
  #looksAhead = false;
  #mayLookAhead = true;

  /**
   * Creates a reader for a file of `bytes` bytes. `threads`: threads that may be used, including the calling one.
   */
  constructor(window: RecordWindow, bytes: number, threads: number) {
    const more = Math.min(threads - 1, maxThreads, Math.floor(bytes / minBytesPerThread));
    this.#window = window;
    this.#unpacking = more > 0 ? new UnpackAhead(more) : null;
  }

  /**
   * Returns the bytes to buffer before a chunk of `length` bytes is processed: more, with memory reserved, if following
   * chunks are unpacked ahead. `room`: bytes to the end of the bag.
   */
  requiredBytes(compression: string, length: number, room: number): number {
    this.#looksAhead = this.#unpacking !== null && this.#mayLookAhead && isSlowCompression(compression);
    if (!this.#looksAhead) return length;
    this.#window.reserve(length + lookAheadBytes.max);
    return Math.min(room, length + lookAheadBytes.min);
  }

  /**
   * Disables looking ahead after a read shorter than requested; returns true if only bytes beyond the current chunk are
   * missing.
   */
  stopLookingAhead(): boolean {
    const reached = this.#looksAhead;
    this.#looksAhead = false;
    this.#mayLookAhead = false;
    return reached;
  }

  /**
   * Offers the complete chunks after offset `chunkOffset` to worker threads, as far as they are buffered and before
   * `end`.
   */
  offerChunks(chunkOffset: number, end: number): void {
    if (this.#unpacking === null) return;
    const { offset, available } = this.#window;
    const limit = Math.min(offset + available, end);
    this.#next = Math.max(this.#next, chunkOffset);
    for (;;) {
      const length = this.#measure(this.#next, limit);
      if (length === 0 || !this.#offer(this.#unpacking, this.#next, length)) return;
      this.#next += length;
    }
  }

  /**
   * Returns the decompressed chunk at offset `chunkOffset`; `null` if it was not offered. Earlier chunks are dropped.
   */
  take(chunkOffset: number): Promise<UnpackResult> | null {
    return this.#unpacking?.take(chunkOffset) ?? null;
  }

  /** Ends the worker threads. */
  async close(): Promise<void> {
    await this.#unpacking?.close();
  }

  /**
   * Returns the length of the record at `chunkOffset` and scans its header; 0 if no complete record ends before `limit`.
   */
  #measure(chunkOffset: number, limit: number): number {
    const { bytes, view } = this.#window;
    const at = this.#windowIndex(chunkOffset);
    const room = limit - chunkOffset;
    if (room < 8) return 0;
    const headLength = view.getUint32(at, true);
    const prefix = 8 + headLength;
    if (headLength > maxHeadBytes || prefix > room) return 0;
    const whole = prefix + view.getUint32(at + prefix - 4, true);
    return whole <= room && this.#head.scan(bytes, view, at + 4, at + 4 + headLength) ? whole : 0;
  }

  /**
   * Offers a chunk to a worker thread; false if no more are accepted for now. Chunks that cannot be decompressed are
   * left to the walk, which reports them.
   */
  #offer(unpacking: UnpackAhead, chunkOffset: number, length: number): boolean {
    if (this.#head.op !== opcode.chunk) return true;
    const compression = this.#head.text('compression') ?? '';
    const size = this.#head.value('size');
    if (!isSlowCompression(compression) || size?.length !== 4) return true;
    const { bytes, view } = this.#window;
    const at = this.#windowIndex(chunkOffset);
    const packed = bytes.subarray(at + 8 + view.getUint32(at, true), at + length);
    const most = viewOf(size).getUint32(0, true);
    // After a chunk whose length was never written follow its own bytes.
    if (packed.length === 0) return false;
    return most > maxUnpackedBytes(compression, packed.length) || unpacking.offer(chunkOffset, packed, most);
  }

  #windowIndex(chunkOffset: number): number {
    return this.#window.start + chunkOffset - this.#window.offset;
  }
}
