/** Reads bits, the highest of each byte first. Throws RangeError past the end. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at: number;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array, from: number) {
    this.#bytes = bytes;
    this.#at = from;
  }

  /** Where the next whole byte lies once the bits of a started one are passed over. */
  get nextByte(): number {
    return this.#at - (this.#count >> 3);
  }

  /** Up to 24 bits as a number. */
  read(count: number): number {
    const value = this.peek(count);
    this.skip(count);
    return value;
  }

  /** The next bits, up to 24, without passing over them; zeros behind the end. */
  peek(count: number): number {
    while (this.#count < count) {
      this.#held = (this.#held << 8) | (this.#at < this.#bytes.length ? this.#bytes[this.#at] : 0);
      this.#at++;
      this.#count += 8;
    }
    return (this.#held >>> (this.#count - count)) & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.#count -= count;
    if (this.#at - (this.#count >> 3) > this.#bytes.length) throw new RangeError('the data ends too early');
  }
}
