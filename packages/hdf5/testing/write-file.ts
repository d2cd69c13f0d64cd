import { deflateSync } from 'node:zlib';

/** Numbers of a dataset to be written, and how they lie. */
export interface WrittenArray {
  readonly values: Float32Array | Float64Array | BigInt64Array | Int32Array | Uint16Array | Uint8Array;
  readonly shape: readonly number[];
  /** Rows of one chunk, packed with gzip; absent: in one piece. */
  readonly gzip_rows?: number;
}

/** What a group to be written holds. */
export interface WrittenGroup {
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  readonly groups?: Readonly<Record<string, WrittenGroup>>;
  readonly arrays?: Readonly<Record<string, WrittenArray>>;
  /** Texts of fixed length, one a row. */
  readonly texts?: Readonly<Record<string, readonly string[]>>;
  /** Bytes of variable length, one a row. */
  readonly sequences?: Readonly<Record<string, readonly Uint8Array[]>>;
  /** Links into other files: name of the file. */
  readonly external?: Readonly<Record<string, string>>;
}

/** A small HDF5 file as h5py would read it: old superblock and headers, links in the headers, chunks under a B-tree. */
export function hdf5File(root: WrittenGroup): Buffer {
  const file = new Hdf5Writer();
  const address = file.group(root);
  return file.finish(address);
}

/** Groups out of arrays by path: `action/joint_position`. */
export function nested(arrays: Readonly<Record<string, WrittenArray>>): WrittenGroup {
  const own: Record<string, WrittenArray> = {};
  const below: Record<string, Record<string, WrittenArray>> = {};
  for (const [path, array] of Object.entries(arrays)) {
    const slash = path.indexOf('/');
    if (slash < 0) own[path] = array;
    else {
      below[path.slice(0, slash)] ??= {};
      below[path.slice(0, slash)]![path.slice(slash + 1)] = array;
    }
  }
  const groups = Object.entries(below).map(([name, inner]) => [name, nested(inner)]);
  return { arrays: own, groups: Object.fromEntries(groups) };
}

const undefinedAddress = 0xffff_ffff_ffff_ffffn;

const u8 = (...values: number[]) => Buffer.from(values);
const u16 = (value: number) => Buffer.of(value & 255, value >> 8);
const u32 = (value: number) => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
};
const u64 = (value: number | bigint) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
};
const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);

interface Message {
  readonly type: number;
  readonly body: Buffer;
}

class Hdf5Writer {
  readonly #parts: Buffer[] = [Buffer.alloc(96)];
  #size = 96;

  finish(root: number): Buffer {
    const whole = Buffer.concat(this.#parts);
    Buffer.concat([
      u8(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 0, 8, 8, 0),
      ...[u16(4), u16(16), u32(0), u64(0), u64(undefinedAddress), u64(this.#size), u64(undefinedAddress)],
      ...[u64(0), u64(root), u32(0), u32(0), Buffer.alloc(16)],
    ]).copy(whole);
    return whole;
  }

  group({ attributes, groups, arrays, texts, sequences, external }: WrittenGroup): number {
    const links: [string, number][] = [
      ...Object.entries(groups ?? {}).map(([name, one]) => [name, this.group(one)] as [string, number]),
      ...Object.entries(arrays ?? {}).map(([name, one]) => [name, this.#array(one)] as [string, number]),
      ...Object.entries(texts ?? {}).map(([name, one]) => [name, this.#texts(one)] as [string, number]),
      ...Object.entries(sequences ?? {}).map(
        ([name, one]) => [name, this.#sequences(one)] as [string, number],
      ),
    ];
    return this.#header([
      { type: 0x02, body: Buffer.concat([u8(0, 0), u64(undefinedAddress), u64(undefinedAddress)]) },
      ...links.map(([name, address]) => ({ type: 0x06, body: link(name, 0, u64(address)) })),
      ...Object.entries(external ?? {}).map(([name, file]) => {
        const value = Buffer.from(`\0${file}\0/x\0`);
        return { type: 0x06, body: link(name, 64, Buffer.concat([u16(value.length), value])) };
      }),
      ...Object.entries(attributes ?? {}).map(([name, value]) => ({
        type: 0x0c,
        body: attribute(name, value),
      })),
    ]);
  }

  #array({ values, shape, gzip_rows }: WrittenArray): number {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    const { BYTES_PER_ELEMENT: width } = values;
    const type = { type: 0x03, body: numberType(values) };
    const space = { type: 0x01, body: dataspace(shape) };
    if (gzip_rows === undefined)
      return this.#header([space, type, contiguous(this.#put(bytes), bytes.length)]);
    const chunk = [gzip_rows, ...shape.slice(1)];
    const tree = this.#chunkTree(bytes, shape, gzip_rows, width);
    const lengths = [...chunk, width].map(u32);
    const layout = Buffer.concat([u8(3, 2, shape.length + 1), u64(tree), ...lengths]);
    const filter = Buffer.concat([u8(2, 1), u16(1), u16(0), u16(1), u32(4)]);
    return this.#header([space, type, { type: 0x08, body: layout }, { type: 0x0b, body: filter }]);
  }

  /** One leaf with all chunks, each whole rows. */
  #chunkTree(bytes: Buffer, shape: readonly number[], rows: number, width: number): number {
    const rowBytes = shape.slice(1).reduce((product, n) => product * n, width);
    const entries: Buffer[] = [];
    const key = (size: number, row: number) =>
      Buffer.concat([u32(size), u32(0), u64(row), ...shape.slice(1).map(() => u64(0)), u64(0)]);
    let count = 0;
    for (let row = 0; row < shape[0]; row += rows, count++) {
      const plain = Buffer.alloc(rows * rowBytes);
      bytes.copy(plain, 0, row * rowBytes, Math.min(bytes.length, (row + rows) * rowBytes));
      const packed = deflateSync(plain);
      entries.push(key(packed.length, row), u64(this.#put(packed)));
    }
    const head = Buffer.concat([
      Buffer.from('TREE'),
      u8(1, 0),
      u16(count),
      u64(undefinedAddress),
      u64(undefinedAddress),
    ]);
    // HDF5 reads nodes in their full size, for 64 children.
    const full = 24 + 64 * 8 + 65 * (8 + 8 * (shape.length + 1));
    const node = Buffer.concat([head, ...entries, key(0, count * rows)]);
    return this.#put(Buffer.concat([node, Buffer.alloc(Math.max(0, full - node.length))]));
  }

  #texts(texts: readonly string[]): number {
    const width = Math.max(1, ...texts.map((text) => Buffer.byteLength(text)));
    const bytes = Buffer.concat(
      texts.map((text) => Buffer.concat([Buffer.from(text), Buffer.alloc(width)]).subarray(0, width)),
    );
    const messages = [
      { type: 0x01, body: dataspace([texts.length]) },
      { type: 0x03, body: textType(width) },
    ];
    return this.#header([...messages, contiguous(this.#put(bytes), bytes.length)]);
  }

  #sequences(items: readonly Uint8Array[]): number {
    const objects = items.map((item, i) =>
      padded(Buffer.concat([u16(i + 1), u16(1), u32(0), u64(item.length), item])),
    );
    const used = 16 + objects.reduce((sum, { length }) => sum + length, 0);
    // HDF5 makes no heap smaller than 4096 bytes; item 0 is what is left free.
    const size = Math.max(4096, used + 16);
    const free = Buffer.concat([u16(0), u16(0), u32(0), u64(size - used), Buffer.alloc(size - used - 16)]);
    const heap = this.#put(Buffer.concat([Buffer.from('GCOL'), u8(1, 0, 0, 0), u64(size), ...objects, free]));
    const rows = items.map((item, i) => Buffer.concat([u32(item.length), u64(heap), u32(i + 1)]));
    const type = Buffer.concat([u8(0x19, 0, 0, 0), u32(16), numberType(new Uint8Array())]);
    const messages = [
      { type: 0x01, body: dataspace([items.length]) },
      { type: 0x03, body: type },
    ];
    return this.#header([...messages, contiguous(this.#put(Buffer.concat(rows)), 16 * items.length)]);
  }

  #header(messages: readonly Message[]): number {
    const written = messages.map(({ type, body }) => {
      const whole = padded(body);
      return Buffer.concat([u16(type), u16(whole.length), u8(0, 0, 0, 0), whole]);
    });
    const size = written.reduce((sum, { length }) => sum + length, 0);
    return this.#put(Buffer.concat([u8(1, 0), u16(messages.length), u32(1), u32(size), u32(0), ...written]));
  }

  #put(bytes: Uint8Array): number {
    const address = this.#size;
    const whole = padded(Buffer.from(bytes));
    this.#parts.push(whole);
    this.#size += whole.length;
    return address;
  }
}

function contiguous(address: number, length: number): Message {
  const where = length === 0 ? u64(undefinedAddress) : u64(address);
  return { type: 0x08, body: Buffer.concat([u8(3, 1), where, u64(length)]) };
}

function link(name: string, type: number, value: Buffer): Buffer {
  const text = Buffer.from(name);
  return Buffer.concat([u8(1, 0x08 | 0x10, type, 1, text.length), text, value]);
}

function dataspace(shape: readonly number[]): Buffer {
  return Buffer.concat([u8(2, shape.length, 0, shape.length === 0 ? 0 : 1), ...shape.map(u64)]);
}

function numberType(values: WrittenArray['values']): Buffer {
  const width = values.BYTES_PER_ELEMENT;
  if (values instanceof Float32Array || values instanceof Float64Array) return floatType(width);
  const flags = values instanceof Int32Array || values instanceof BigInt64Array ? 8 : 0;
  return Buffer.concat([u8(0x10, flags, 0, 0), u32(width), u16(0), u16(width * 8)]);
}

function floatType(width: number): Buffer {
  const [exponentAt, exponentBits, bias] = width === 4 ? [23, 8, 127] : [52, 11, 1023];
  const properties = [u16(0), u16(width * 8), u8(exponentAt, exponentBits, 0, exponentAt), u32(bias)];
  return Buffer.concat([u8(0x11, 0x20, width * 8 - 1, 0), u32(width), ...properties]);
}

function textType(width: number): Buffer {
  return Buffer.concat([u8(0x13, 0x11, 0, 0), u32(width)]);
}

function attribute(name: string, value: string | number | boolean): Buffer {
  const [type, data] = attributeValue(value);
  const space = dataspace([]);
  const text = Buffer.from(`${name}\0`);
  return Buffer.concat([
    u8(3, 0),
    u16(text.length),
    u16(type.length),
    u16(space.length),
    u8(1),
    text,
    type,
    space,
    data,
  ]);
}

/** Booleans as h5py writes them: an enumeration of FALSE and TRUE. Whole numbers are integers. */
function attributeValue(value: string | number | boolean): [type: Buffer, data: Buffer] {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return [textType(Math.max(1, bytes.length)), bytes.length === 0 ? u8(0) : bytes];
  }
  if (typeof value === 'boolean') {
    const base = Buffer.concat([u8(0x10, 8, 0, 0), u32(1), u16(0), u16(8)]);
    const type = Buffer.concat([u8(0x38, 2, 0, 0), u32(1), base, Buffer.from('FALSE\0TRUE\0'), u8(0, 1)]);
    return [type, u8(value ? 1 : 0)];
  }
  const data = Buffer.alloc(8);
  if (Number.isInteger(value)) {
    data.writeBigInt64LE(BigInt(value));
    return [numberType(BigInt64Array.of(0n)), data];
  }
  data.writeDoubleLE(value);
  return [floatType(8), data];
}
