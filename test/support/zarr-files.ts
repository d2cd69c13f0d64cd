import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

/** An array of zarr 2, as a test wants it. */
export interface ArrayInput {
  readonly shape: readonly number[];
  readonly chunks?: readonly number[];
  readonly dtype?: string;
  readonly values?: (index: number) => number;
  readonly compressor?: Readonly<Record<string, unknown>> | null;
  /** Encodes the stored bytes of a chunk. */
  readonly pack?: (chunk: Buffer) => Uint8Array;
  readonly filters?: unknown;
  readonly order?: 'C' | 'F';
  readonly fill?: unknown;
  readonly separator?: '.' | '/';
}

export type Files = Map<string, Uint8Array>;

const writers: Readonly<
  Record<string, [bytes: number, write: (to: Buffer, value: number, at: number) => void]>
> = {
  '<f4': [4, (to, value, at) => void to.writeFloatLE(value, at)],
  '>f4': [4, (to, value, at) => void to.writeFloatBE(value, at)],
  '<f8': [8, (to, value, at) => void to.writeDoubleLE(value, at)],
  '<i8': [8, (to, value, at) => void to.writeBigInt64LE(BigInt(value), at)],
  '|u1': [1, (to, value, at) => void to.writeUInt8(value & 255, at)],
  '|b1': [1, (to, value, at) => void to.writeUInt8(value & 1, at)],
  '<u2': [2, (to, value, at) => void to.writeUInt16LE(value & 65_535, at)],
};

/** Adds an array under a key: its metadata and every chunk, edges filled up as zarr does it. */
export function addArray(files: Files, key: string, input: ArrayInput): void {
  const {
    shape,
    dtype = '<f4',
    order = 'C',
    separator = '.',
    compressor = null,
    filters = null,
    fill = 0,
  } = input;
  const chunks = input.chunks ?? shape.map((size) => Math.max(1, size));
  const meta = {
    ...{ zarr_format: 2, shape, chunks, dtype, compressor, fill_value: fill, order, filters },
    ...(separator === '/' ? { dimension_separator: '/' } : {}),
  };
  files.set(`${key}/.zarray`, Buffer.from(JSON.stringify(meta)));
  const [bytes, write] = writers[dtype] ?? [1, () => {}];
  const elements = chunks.reduce((product, size) => product * size, 1);
  for (const chunk of indexes(shape.map((size, d) => Math.ceil(size / chunks[d])))) {
    const plain = Buffer.alloc(elements * bytes);
    for (const inner of indexes(chunks)) {
      const place = inner.map((offset, d) => chunk[d] * chunks[d] + offset);
      if (place.some((at, d) => at >= shape[d])) continue;
      const flat = place.reduce((sum, at, d) => sum * shape[d] + at, 0);
      write(plain, input.values?.(flat) ?? flat, bytes * flatIn(inner, chunks, order));
    }
    files.set(`${key}/${chunk.join(separator)}`, input.pack?.(plain) ?? plain);
  }
}

function flatIn(index: readonly number[], sizes: readonly number[], order: 'C' | 'F'): number {
  const places = sizes.map((_, d) => d);
  return (order === 'C' ? places : places.reverse()).reduce((sum, d) => sum * sizes[d] + index[d], 0);
}

function* indexes(sizes: readonly number[]): Generator<number[]> {
  const count = sizes.reduce((product, size) => product * size, 1);
  for (let flat = 0; flat < count; flat++) {
    let rest = flat;
    const index = sizes.map(() => 0);
    for (let d = sizes.length - 1; d >= 0; d--) {
      index[d] = rest % sizes[d];
      rest = Math.floor(rest / sizes[d]);
    }
    yield index;
  }
}

/** A replay buffer: groups, arrays of `data` by name, ends of episodes. */
export function replayFiles(arrays: Readonly<Record<string, ArrayInput>>, ends: readonly number[]): Files {
  const files: Files = new Map();
  for (const group of ['.zgroup', 'data/.zgroup', 'meta/.zgroup'])
    files.set(group, Buffer.from('{"zarr_format":2}'));
  for (const [name, array] of Object.entries(arrays)) addArray(files, `data/${name}`, array);
  addArray(files, 'meta/episode_ends', { shape: [ends.length], dtype: '<i8', values: (i) => ends[i] });
  return files;
}

export async function writeFiles(folder: string, files: Files): Promise<string> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return folder;
}

/** A member of a zip; what differs from the truth is a lie of its directory. */
export interface ZipInput {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly deflate?: boolean;
  readonly plain_bytes?: number;
  readonly encrypted?: boolean;
}

/** The bytes of a zip; with `zip64` its sizes and places stand in the fields for large files. */
export function zipBytes(members: readonly ZipInput[], zip64 = false): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, deflate = false, plain_bytes = bytes.length, encrypted = false } of members) {
    const stored = deflate ? deflateRawSync(bytes) : bytes;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(deflate ? 8 : 0, 8);
    local.writeUInt32LE(crc32(bytes), 14);
    local.writeUInt32LE(stored.length, 18);
    local.writeUInt32LE(plain_bytes, 22);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    entries.push(
      entryOf(
        { name, deflate, encrypted, crc: crc32(bytes), stored: stored.length, plain: plain_bytes, offset },
        zip64,
      ),
    );
    parts.push(local, Buffer.from(name), Buffer.from(stored));
    offset += 30 + Buffer.byteLength(name) + stored.length;
  }
  const directory = Buffer.concat(entries);
  return Buffer.concat([...parts, directory, ...endOf(members.length, directory.length, offset, zip64)]);
}

interface Entry {
  readonly name: string;
  readonly deflate: boolean;
  readonly encrypted: boolean;
  readonly crc: number;
  readonly stored: number;
  readonly plain: number;
  readonly offset: number;
}

function entryOf({ name, deflate, encrypted, crc, stored, plain, offset }: Entry, zip64: boolean): Buffer {
  const entry = Buffer.alloc(46);
  const extra = zip64 ? Buffer.alloc(28) : Buffer.alloc(0);
  if (zip64) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    [plain, stored, offset].forEach((value, i) => {
      extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
    });
  }
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt16LE(encrypted ? 1 : 0, 8);
  entry.writeUInt16LE(deflate ? 8 : 0, 10);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(zip64 ? 0xffffffff : stored, 20);
  entry.writeUInt32LE(zip64 ? 0xffffffff : plain, 24);
  entry.writeUInt16LE(Buffer.byteLength(name), 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(zip64 ? 0xffffffff : offset, 42);
  return Buffer.concat([entry, Buffer.from(name), extra]);
}

function endOf(count: number, bytes: number, offset: number, zip64: boolean): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(zip64 ? 0xffffffff : bytes, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16);
  if (!zip64) return [end];
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50);
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  return [record, locator, end];
}
