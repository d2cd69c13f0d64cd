/** A field with its wire type, so that unknown fields are written back unchanged. */
export interface ThriftField {
  readonly type: number;
  value: ThriftValue;
}
/** A struct: fields by id. */
export type ThriftStruct = Map<number, ThriftField>;
/** A list with the wire type of its elements. */
export interface ThriftList {
  readonly elementType: number;
  readonly items: ThriftValue[];
}
/** Any Thrift value. */
export type ThriftValue = boolean | number | bigint | Uint8Array | ThriftList | ThriftStruct;

/** Wire types of the compact protocol. */
export const wireTypes = {
  true: 1,
  false: 2,
  i8: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
} as const;

const maxDepth = 32;

/** Reads a struct in Thrift's compact protocol. Throws RangeError if the bytes are not valid. */
export class ThriftReader {
  #at: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Offset after the bytes read so far. */
  get at(): number {
    return this.#at;
  }

  /** Reads the struct at the current offset and moves behind it. */
  struct(depth = 0): ThriftStruct {
    if (depth > maxDepth) throw new RangeError('structs are nested too deeply');
    const fields: ThriftStruct = new Map();
    let id = 0;
    for (;;) {
      const head = this.#byte();
      if (head === 0) return fields;
      const type = head & 15;
      id = head >> 4 === 0 ? Number(this.#zigzag()) : id + (head >> 4);
      fields.set(id, { type, value: this.#value(type, depth) });
    }
  }

  #value(type: number, depth: number): ThriftValue {
    if (type === wireTypes.true || type === wireTypes.false) return type === wireTypes.true;
    if (type === wireTypes.i8) return (this.#byte() << 24) >> 24;
    if (type === wireTypes.i16 || type === wireTypes.i32 || type === wireTypes.i64)
      return toSafeNumber(this.#zigzag());
    if (type === wireTypes.double) return this.#view.getFloat64(this.#skip(8), true);
    if (type === wireTypes.binary) {
      const length = Number(this.#varint());
      const from = this.#skip(length);
      return this.#bytes.subarray(from, from + length);
    }
    if (type === wireTypes.list || type === wireTypes.set) return this.#list(depth);
    if (type === wireTypes.struct) return this.struct(depth + 1);
    throw new RangeError(`unknown type: ${type}`);
  }

  #list(depth: number): ThriftList {
    const head = this.#byte();
    const of = head & 15;
    const count = head >> 4 === 15 ? Number(this.#varint()) : head >> 4;
    if (count > this.#bytes.length - this.#at)
      throw new RangeError('a list is longer than the remaining data');
    const items: ThriftValue[] = [];
    for (let i = 0; i < count; i++)
      items.push(
        of === wireTypes.true || of === wireTypes.false ? this.#byte() === 1 : this.#value(of, depth),
      );
    return { elementType: of, items };
  }

  #byte(): number {
    return this.#bytes[this.#skip(1)];
  }

  #skip(count: number): number {
    const from = this.#at;
    if (!(count >= 0) || from + count > this.#bytes.length) throw new RangeError('unexpected end of data');
    this.#at += count;
    return from;
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new RangeError('a number has more than 64 bits');
  }

  #zigzag(): bigint {
    const value = this.#varint();
    return (value >> 1n) ^ -(value & 1n);
  }
}

function toSafeNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Encodes a struct in Thrift's compact protocol, with fields in ascending order of their ids. */
export function encodeThrift(struct: ThriftStruct): Uint8Array {
  const parts: number[] = [];
  writeStruct(parts, struct);
  return Uint8Array.from(parts);
}

function writeStruct(out: number[], struct: ThriftStruct): void {
  let before = 0;
  for (const [id, field] of [...struct].sort(([a], [b]) => a - b)) {
    const type =
      typeof field.value === 'boolean' ? (field.value ? wireTypes.true : wireTypes.false) : field.type;
    if (id > before && id - before < 16) out.push(((id - before) << 4) | type);
    else {
      out.push(type);
      writeVarint(out, encodeZigzag(id));
    }
    before = id;
    if (typeof field.value !== 'boolean') writeValue(out, type, field.value);
  }
  out.push(0);
}

function writeValue(out: number[], type: number, value: ThriftValue): void {
  if (typeof value === 'boolean') out.push(value ? 1 : 2);
  else if (value instanceof Map) writeStruct(out, value);
  else if (value instanceof Uint8Array) {
    writeVarint(out, BigInt(value.length));
    for (const byte of value) out.push(byte);
  } else if (typeof value === 'object') {
    const { items, elementType } = value;
    if (items.length < 15) out.push((items.length << 4) | elementType);
    else {
      out.push(0xf0 | elementType);
      writeVarint(out, BigInt(items.length));
    }
    for (const item of items) writeValue(out, elementType, item);
  } else if (type === wireTypes.double) out.push(...new Uint8Array(new Float64Array([Number(value)]).buffer));
  else if (type === wireTypes.i8) out.push(Number(value) & 255);
  else writeVarint(out, encodeZigzag(value));
}

function encodeZigzag(value: number | bigint): bigint {
  const big = BigInt(value);
  return big < 0n ? -big * 2n - 1n : big * 2n;
}

function writeVarint(out: number[], value: bigint): void {
  let rest = value;
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  out.push(Number(rest));
}
