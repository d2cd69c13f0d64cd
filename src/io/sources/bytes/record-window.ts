import { crc32 } from 'node:zlib';
import type { ByteSource } from './byte-source.ts';

const startCapacity = 1024 * 1024;

/** A window of bytes that moves over a source; it grows to hold the longest record asked for and no further. */
export class RecordWindow {
  bytes: Uint8Array = new Uint8Array(startCapacity);
  view: DataView = new DataView(this.bytes.buffer);
  /** What is not consumed yet lies in [start, end) of `bytes`. */
  start = 0;
  end = 0;
  /** CRC-32 of every byte consumed since the last `restartCrc`. */
  #crc = 0;
  #crcFrom = 0;
  #before = 0;
  #capacity = startCapacity;
  readonly #source: ByteSource;
  readonly #sums: boolean;

  /** `sums`: takes checksums, for containers that carry them. */
  constructor(source: ByteSource, { sums = false }: { readonly sums?: boolean } = {}) {
    this.#source = source;
    this.#sums = sums;
  }

  /** Place of `start` in the file. */
  get offset(): number {
    return this.#before + this.start;
  }

  get available(): number {
    return this.end - this.start;
  }

  /** Has it hold `capacity` bytes or more from now on, for whoever looks ahead. */
  reserve(capacity: number): void {
    this.#capacity = Math.max(this.#capacity, capacity);
  }

  /** Makes at least `wanted` bytes available, reading as much as fits; false: the source ends before that. */
  async fill(wanted: number): Promise<boolean> {
    this.#compact(wanted);
    while (this.available < wanted) {
      const count = await this.#source.read(this.bytes.subarray(this.end));
      if (count === 0) return false;
      this.end += count;
    }
    return true;
  }

  /** Passes over bytes without holding them; the number that the source had. */
  async skip(count: number, seen?: (bytes: Uint8Array) => void): Promise<number> {
    let left = count;
    while (left > 0) {
      if (this.available === 0 && !(await this.fill(1))) break;
      const part = Math.min(left, this.available);
      seen?.(this.bytes.subarray(this.start, this.start + part));
      this.start += part;
      left -= part;
    }
    return count - left;
  }

  /** CRC-32 of the bytes consumed since the start, or since the last `restartCrc`. */
  get crc(): number {
    this.#sum();
    return this.#crc;
  }

  restartCrc(): void {
    this.#crc = 0;
    this.#crcFrom = this.start;
  }

  #sum(): void {
    if (this.#sums && this.#crcFrom < this.start) {
      this.#crc = crc32(this.bytes.subarray(this.#crcFrom, this.start), this.#crc);
    }
    this.#crcFrom = this.start;
  }

  #compact(wanted: number): void {
    this.#sum();
    const rest = this.available;
    const capacity = Math.max(wanted, this.bytes.length, this.#capacity);
    if (capacity !== this.bytes.length) {
      const larger = new Uint8Array(capacity);
      larger.set(this.bytes.subarray(this.start, this.end));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    } else this.bytes.copyWithin(0, this.start, this.end);
    this.#before += this.start;
    this.start = 0;
    this.end = rest;
    this.#crcFrom = 0;
  }
}
