import { magic as mcapMagic } from '../read/records.ts';

export { opcode, prefixBytes } from '../read/records.ts';

export const magic = Buffer.from(mcapMagic);

/** Reads the fields of a record one after the other; throws `RangeError` past its end. */
export class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#advance(2));
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#advance(4));
  }

  u64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#advance(8));
  }

  text(): string {
    const length = this.u32();
    const at = this.#advance(length);
    return this.#bytes.toString('utf8', at, at + length);
  }

  map(): Map<string, string> {
    const own = new Fields(this.bytes(this.u32()));
    const entries = new Map<string, string>();
    while (own.#at < own.#bytes.length) entries.set(own.text(), own.text());
    return entries;
  }

  bytes(length: number): Buffer {
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Everything behind what was read. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  #advance(bytes: number): number {
    const at = this.#at;
    if (!(bytes >= 0) || at + bytes > this.#bytes.length)
      throw new RangeError('a field reaches past its record');
    this.#at += bytes;
    return at;
  }
}

/** A field to be written. */
export type Part = Buffer;

export function u16(value: number): Part {
  const out = Buffer.alloc(2);
  out.writeUInt16LE(value);
  return out;
}

export function u32(value: number): Part {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}

export function u64(value: number | bigint): Part {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
}

export function text(value: string): Part {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u32(bytes.length), bytes]);
}

/** A list or map: its length in bytes, then its entries. */
export function block(parts: readonly Part[]): Part {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([u32(bytes.length), bytes]);
}

export function record(op: number, ...parts: readonly Part[]): Part {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([op]), u64(content.length), content]);
}
