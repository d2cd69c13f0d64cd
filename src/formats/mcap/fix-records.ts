import { magic as mcapMagic } from './records.ts';

export { opcode, prefixBytes } from './records.ts';

/** Magic number at the start and end of an MCAP file, as a Buffer. */
export const magic = Buffer.from(mcapMagic);

/** Reads the fields of a record in sequence. Throws RangeError if a field extends beyond the record. */
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

  /** Returns the unread rest of the record. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  #advance(bytes: number): number {
    const at = this.#at;
    if (!(bytes >= 0) || at + bytes > this.#bytes.length)
      throw new RangeError('a field extends past the end of its record');
    this.#at += bytes;
    return at;
  }
}

/** Encoded bytes of one field or record. */
export type Part = Buffer;

/** Encodes a 16-bit unsigned integer, little-endian; throws RangeError if it is out of range. */
export function u16(value: number): Part {
  const out = Buffer.alloc(2);
  out.writeUInt16LE(value);
  return out;
}

/** Encodes a 32-bit unsigned integer, little-endian; throws RangeError if it is out of range. */
export function u32(value: number): Part {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}

/** Encodes a 64-bit unsigned integer, little-endian; throws RangeError if it is out of range. */
export function u64(value: number | bigint): Part {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
}

/** Encodes a UTF-8 string with its 32-bit length prefix. */
export function text(value: string): Part {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u32(bytes.length), bytes]);
}

/** Encodes a list or map: its byte length as 32 bits, then the entries. */
export function block(parts: readonly Part[]): Part {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([u32(bytes.length), bytes]);
}

/** Encodes a record: op code, 64-bit content length, content. */
export function record(op: number, ...parts: readonly Part[]): Part {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([op]), u64(content.length), content]);
}
