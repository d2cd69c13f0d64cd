import { damaged, type NamedFile } from './errors.ts';

/** How wide a file writes addresses and lengths, and what it is called in messages. */
export interface Widths {
  readonly file: NamedFile;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** Walks through a piece of structure; every step past its end is damage, named with its byte. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly widths: Widths;
  /** Position of the first byte in the file. */
  readonly origin: number;
  at = 0;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, origin: number, widths: Widths) {
    this.bytes = bytes;
    this.origin = origin;
    this.widths = widths;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  skip(count: number): this {
    this.#take(count);
    return this;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  /** An unsigned number of 1 to 8 bytes, as far as a double holds it exactly. */
  uint(width: number): number {
    const from = this.#take(width);
    let value = 0;
    for (let i = width - 1; i >= 0; i--) value = value * 256 + this.bytes[from + i];
    if (value > Number.MAX_SAFE_INTEGER) throw this.fault(`a number beyond 2^53 (${value})`);
    return value;
  }

  /** A length, such as a size in bytes or a count. */
  length(): number {
    return this.uint(this.widths.lengthBytes);
  }

  /** A length that may say "without end"; null for that. */
  lengthOrUnlimited(): number | null {
    return this.#unlessAllOnes(this.widths.lengthBytes);
  }

  /** A place in the file; null where it says that there is none. */
  address(): number | null {
    return this.#unlessAllOnes(this.widths.offsetBytes);
  }

  /** A part of it with a cursor of its own. */
  part(length: number): Cursor {
    const from = this.#take(length);
    return new Cursor(this.bytes.subarray(from, from + length), this.origin + from, this.widths);
  }

  take(length: number): Uint8Array {
    const from = this.#take(length);
    return this.bytes.subarray(from, from + length);
  }

  /** Four letters that name a kind of block. */
  expectSignature(signature: string): this {
    const found = Buffer.from(this.take(4)).toString('latin1');
    if (found !== signature) throw this.fault(`expected a ${signature} block`);
    return this;
  }

  /** Text up to a zero byte, which is passed over. */
  terminatedText(): string {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) throw this.fault('unterminated name');
    const text = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.at, end - this.at);
    this.at = end + 1;
    return text.toString('utf8');
  }

  fault(what: string): Error {
    return damaged(what, { file: this.widths.file, place: `byte ${this.origin + this.at}` });
  }

  #unlessAllOnes(width: number): number | null {
    for (let i = 0; i < width; i++) {
      if (this.at + i < this.bytes.length && this.bytes[this.at + i] !== 0xff) return this.uint(width);
    }
    this.#take(width);
    return null;
  }

  #take(count: number): number {
    const from = this.at;
    if (count < 0 || from + count > this.bytes.length) throw this.fault('truncated block');
    this.at = from + count;
    return from;
  }
}
