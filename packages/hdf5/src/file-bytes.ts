import { Cursor, type Widths } from './cursor.ts';
import { beyondLimit, damaged, type NamedFile } from './errors.ts';
import { limits } from './limits.ts';
import type { ByteRanges } from './source.ts';

/**
 * The bytes of one file by address. Structure comes through pages that are kept, since its pieces are small and lie
 * together; data goes straight where it is wanted.
 */
export class FileBytes {
  readonly file: NamedFile;
  readonly size: number;
  /** Where address 0 lies: behind the user block. */
  base = 0;
  widths: Widths;
  readonly #source: ByteRanges;
  readonly #pages = new Map<number, Uint8Array>();

  constructor(source: ByteRanges, file: NamedFile, size: number) {
    this.#source = source;
    this.file = file;
    this.size = size;
    this.widths = { file, offsetBytes: 8, lengthBytes: 8 };
  }

  /** A piece of structure. */
  async at(address: number, length: number): Promise<Cursor> {
    const position = this.base + address;
    this.#check(position, length);
    if (length > limits.structureBytes) {
      throw beyondLimit(`a block of ${length} bytes`, { file: this.file, place: `byte ${position}` });
    }
    return new Cursor(await this.#structure(position, length), position, this.widths);
  }

  /** A piece of structure whose end is not known yet: `length` bytes, or as many as the file has. */
  atMost(address: number, length: number): Promise<Cursor> {
    return this.at(address, Math.max(0, Math.min(length, this.size - this.base - address)));
  }

  /** Fills `into` with what lies at an address. */
  async fill(into: Uint8Array, address: number): Promise<void> {
    const position = this.base + address;
    this.#check(position, into.length);
    for (let done = 0; done < into.length; ) {
      const { bytesRead } = await this.#source.read(into, done, into.length - done, position + done);
      if (bytesRead === 0) throw this.#cutOff(position + done, into.length - done);
      done += bytesRead;
    }
  }

  close(): Promise<void> {
    return this.#source.close();
  }

  async #structure(position: number, length: number): Promise<Uint8Array> {
    const first = Math.floor(position / limits.pageBytes);
    const last = Math.floor((position + Math.max(length, 1) - 1) / limits.pageBytes);
    const start = position - first * limits.pageBytes;
    if (first === last) return (await this.#page(first)).subarray(start, start + length);
    const whole = new Uint8Array(length);
    if (last - first > 8) {
      await this.fill(whole, position - this.base);
      return whole;
    }
    for (let page = first, done = 0; page <= last; page++) {
      const bytes = await this.#page(page);
      const part = bytes.subarray(page === first ? start : 0).subarray(0, length - done);
      whole.set(part, done);
      done += part.length;
    }
    return whole;
  }

  async #page(number: number): Promise<Uint8Array> {
    const kept = this.#pages.get(number);
    if (kept !== undefined) {
      this.#pages.delete(number);
      this.#pages.set(number, kept);
      return kept;
    }
    const from = number * limits.pageBytes;
    const bytes = new Uint8Array(Math.min(limits.pageBytes, this.size - from));
    await this.fill(bytes, from - this.base);
    this.#pages.set(number, bytes);
    if (this.#pages.size > limits.pages) this.#pages.delete(this.#pages.keys().next().value ?? number);
    return bytes;
  }

  #check(position: number, length: number): void {
    if (position < 0 || length < 0 || position + length > this.size) throw this.#cutOff(position, length);
  }

  #cutOff(position: number, length: number): Error {
    const what = `expected ${length === 0 ? 'an object' : `${length} bytes`}, but the file ends at ${this.size}`;
    return damaged(what, { file: this.file, place: `byte ${position}` });
  }
}
