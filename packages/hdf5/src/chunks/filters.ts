import { inflateSync } from 'node:zlib';
import type { Cursor } from '../cursor.ts';
import { limits } from '../limits.ts';
import { fletcher32 } from './checksums.ts';
import { unpackLzf } from './lzf.ts';

/** One step of what was done to a chunk before it was stored. */
export interface Filter {
  readonly id: number;
  readonly name: string;
  readonly values: readonly number[];
}

const names: Readonly<Record<number, string>> = {
  1: 'deflate',
  2: 'shuffle',
  3: 'fletcher32',
  4: 'szip',
  5: 'nbit',
  6: 'scaleoffset',
  32000: 'lzf',
  32001: 'blosc',
  32004: 'lz4',
  32008: 'bitshuffle',
  32013: 'zfp',
  32015: 'zstd',
  32026: 'blosc2',
};
const readable = new Set([1, 2, 3, 32000]);

/** Reads a filter pipeline message. */
export function readFilters(cursor: Cursor): Filter[] {
  const version = cursor.u8();
  const count = cursor.u8();
  if (version !== 1 && version !== 2) throw cursor.fault('unknown version of the filter pipeline');
  if (count > limits.filters) throw cursor.fault(`${count} filters`);
  if (version === 1) cursor.skip(6);
  return Array.from({ length: count }, () => {
    const id = cursor.u16();
    const nameBytes = version === 1 || id >= 256 ? cursor.u16() : 0;
    cursor.skip(2);
    const valueCount = cursor.u16();
    const written = Buffer.from(
      cursor.take(version === 1 ? nameBytes + ((8 - (nameBytes % 8)) % 8) : nameBytes),
    );
    const values = Array.from({ length: valueCount }, () => cursor.u32());
    if (version === 1 && valueCount % 2 === 1) cursor.skip(4);
    return {
      id,
      name: names[id] ?? (written.toString('latin1').replace(/\0.*$/s, '') || `number ${id}`),
      values,
    };
  });
}

/** The first filter that is not read; undefined where all are. */
export function unreadableFilter(filters: readonly Filter[]): Filter | undefined {
  return filters.find((filter) => !readable.has(filter.id));
}

/**
 * Undoes the filters, last first, except those that `mask` says were left out of this chunk. Throws a plain Error in
 * words; whoever asks knows the dataset and the chunk.
 */
export function unpack(
  packed: Uint8Array,
  filters: readonly Filter[],
  mask: number,
  bytes: number,
): Uint8Array {
  let current = packed;
  // Checksums may stand behind the data when it is unpacked.
  const room = bytes + 4 * filters.length;
  for (let i = filters.length - 1; i >= 0; i--) {
    if ((mask >>> i) & 1) continue;
    const { id, values, name } = filters[i];
    if (id === 1) current = inflateSync(current, { chunkSize: room + 64, maxOutputLength: room });
    else if (id === 2) current = unshuffle(current, values[0] ?? 1);
    else if (id === 3) current = withoutChecksum(current);
    else if (id === 32000) current = unpackLzf(current, room, values[2] ?? bytes);
    else throw new Error(`unsupported filter ${name}`);
  }
  if (current.length < bytes) throw new Error(`it decompresses to ${current.length} of ${bytes} bytes`);
  return current;
}

/** First bytes of all elements stand together, then the second ones: back to one element after the other. */
function unshuffle(shuffled: Uint8Array, width: number): Uint8Array {
  const count = Math.floor(shuffled.length / width);
  if (width < 2 || count < 2) return shuffled;
  const plain = new Uint8Array(shuffled.length);
  if (width === 4) unshuffle4(shuffled, plain, count);
  else if (width === 8) unshuffle8(shuffled, plain, count);
  else {
    for (let byte = 0; byte < width; byte++) {
      const from = byte * count;
      for (let i = 0, to = byte; i < count; i++, to += width) plain[to] = shuffled[from + i];
    }
  }
  plain.set(shuffled.subarray(count * width), count * width);
  return plain;
}

/** Whole words at once: several times as fast as byte by byte. Node runs on little-endian machines only. */
function unshuffle4(from: Uint8Array, into: Uint8Array, count: number): void {
  const words = new Uint32Array(into.buffer, 0, count);
  const [b, c, d] = [count, 2 * count, 3 * count];
  for (let i = 0; i < count; i++) {
    words[i] = from[i] | (from[b + i] << 8) | (from[c + i] << 16) | (from[d + i] << 24);
  }
}

function unshuffle8(from: Uint8Array, into: Uint8Array, count: number): void {
  const words = new Uint32Array(into.buffer, 0, 2 * count);
  for (let half = 0; half < 2; half++) {
    const a = 4 * half * count;
    const [b, c, d] = [a + count, a + 2 * count, a + 3 * count];
    for (let i = 0; i < count; i++) {
      words[2 * i + half] = from[a + i] | (from[b + i] << 8) | (from[c + i] << 16) | (from[d + i] << 24);
    }
  }
}

function withoutChecksum(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - 4;
  if (end < 0) throw new Error('too short for its checksum');
  const data = bytes.subarray(0, end);
  const stored = (bytes[end] | (bytes[end + 1] << 8) | (bytes[end + 2] << 16) | (bytes[end + 3] << 24)) >>> 0;
  if (stored !== fletcher32(data)) throw new Error('wrong checksum');
  return data;
}
