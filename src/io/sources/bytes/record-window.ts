import { crc32 } from 'node:zlib';
import type { ByteSource } from './byte-source.ts';

const startCapacity = 1024 * 1024;

/** A buffer that moves forward over a byte source. It grows to hold the longest requested record and no further. */
export class RecordWindow {
  bytes: Uint8Array = new Uint8Array(startCapacity);
  view: DataView = new DataView(this.bytes.buffer);
  /** Unconsumed bytes are `bytes[start, end)`. */
  start = 0;
  end = 0;
  #crc = 0;
  #crcFrom = 0;
  #discarded = 0;
  #capacity = startCapacity;
  readonly #source: ByteSource;
  readonly #hasChecksums: boolean;

  /** `sums`: computes the CRC-32 of consumed bytes, for containers that store checksums. Default false. */
  constructor(source: ByteSource, { sums = false }: { readonly sums?: boolean } = {}) {
    this.#source = source;
    this.#hasChecksums = sums;
  }

  /** Offset of `start` from the beginning of the source. */
  get offset(): number {
    return this.#discarded + this.start;
  }

  get available(): number {
    return this.end - this.start;
  }

  /** Sets the minimum size of the buffer, for readers that look ahead. */
  reserve(capacity: number): void {
    this.#capacity = Math.max(this.#capacity, capacity);
  }

  /**
   * Reads until at least `minBytes` bytes are available, filling the buffer as far as it goes; returns false if the
   * source ends before that.
   */
  async fill(minBytes: number): Promise<boolean> {
    this.#compact(minBytes);
    while (this.available < minBytes) {
      const count = await this.#source.read(this.bytes.subarray(this.end));
      if (count === 0) return false;
      this.end += count;
    }
    return true;
  }

  /**
   * Consumes `count` bytes without retaining them, passing each piece to `onBytes`, and returns the number consumed,
   * which is less if the source ends.
   */
  async skip(count: number, onBytes?: (bytes: Uint8Array) => void): Promise<number> {
    let remaining = count;
    while (remaining > 0) {
      if (this.available === 0 && !(await this.fill(1))) break;
      const part = Math.min(remaining, this.available);
      onBytes?.(this.bytes.subarray(this.start, this.start + part));
      this.start += part;
      remaining -= part;
    }
    return count - remaining;
  }

  /** CRC-32 of the bytes consumed since the start or since the last `restartCrc`; 0 unless `sums` is set. */
  get crc(): number {
    this.#updateCrc();
    return this.#crc;
  }

  /** Starts a new checksum at the current position. */
  restartCrc(): void {
    this.#crc = 0;
    this.#crcFrom = this.start;
  }

  #updateCrc(): void {
    if (this.#hasChecksums && this.#crcFrom < this.start) {
      this.#crc = crc32(this.bytes.subarray(this.#crcFrom, this.start), this.#crc);
    }
    this.#crcFrom = this.start;
  }

  #compact(minBytes: number): void {
    this.#updateCrc();
    const rest = this.available;
    const capacity = Math.max(minBytes, this.bytes.length, this.#capacity);
    if (capacity !== this.bytes.length) {
      const larger = new Uint8Array(capacity);
      larger.set(this.bytes.subarray(this.start, this.end));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    } else this.bytes.copyWithin(0, this.start, this.end);
    this.#discarded += this.start;
    this.start = 0;
    this.end = rest;
    this.#crcFrom = 0;
  }
}
