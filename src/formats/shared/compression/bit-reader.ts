const endsEarly = 'the data ends too early';

/** Reads bits, the highest of each byte first. Throws RangeError past the end. */
export class BitReader {
  readonly bytes: Uint8Array;
  #position: number;

  constructor(bytes: Uint8Array, from: number) {
    this.bytes = bytes;
    this.#position = from * 8;
  }

  /** Bits passed over since the first byte. */
  get position(): number {
    return this.#position;
  }

  /** Where the next whole byte lies once the bits of a started one are passed over. */
  get nextByte(): number {
    return (this.#position + 7) >>> 3;
  }

  moveTo(position: number): void {
    if (position > this.bytes.length * 8) throw new RangeError(endsEarly);
    this.#position = position;
  }

  /** Up to 24 bits as a number. */
  read(count: number): number {
    const from = this.#position;
    this.moveTo(from + count);
    let value = 0;
    for (let left = count, at = from; left > 0; ) {
      const held = 8 - (at & 7);
      const taken = Math.min(left, held);
      value = (value << taken) | ((this.bytes[at >>> 3] >>> (held - taken)) & ((1 << taken) - 1));
      at += taken;
      left -= taken;
    }
    return value;
  }
}
