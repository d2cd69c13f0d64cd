import type { Cursor } from '../cursor.ts';

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** Bob Jenkins' lookup3, little-endian, with which HDF5 seals its own structure. */
function lookup3(bytes: Uint8Array, from: number, to: number): number {
  let left = to - from;
  let a = (0xdeadbeef + left) | 0;
  let b = a;
  let c = a;
  let at = from;
  const word = (offset: number): number => {
    let value = 0;
    for (let i = Math.min(4, left - offset) - 1; i >= 0; i--) value = (value << 8) | bytes[at + offset + i];
    return value;
  };
  while (left > 12) {
    a = (a + word(0)) | 0;
    b = (b + word(4)) | 0;
    c = (c + word(8)) | 0;
    a = ((a - c) ^ rotate(c, 4)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 6)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 8)) | 0;
    b = (b + a) | 0;
    a = ((a - c) ^ rotate(c, 16)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 19)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 4)) | 0;
    b = (b + a) | 0;
    at += 12;
    left -= 12;
  }
  if (left === 0) return c >>> 0;
  a = (a + word(0)) | 0;
  b = (b + word(4)) | 0;
  c = (c + word(8)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) >>> 0;
}

/** Checks the four bytes behind what was read so far, and passes over them. */
export function expectChecksum(cursor: Cursor, what: string): void {
  const found = lookup3(cursor.bytes, 0, cursor.at);
  if (cursor.u32() !== found) throw cursor.fault(`wrong checksum of ${what}`);
}

/** Fletcher's checksum over 16-bit big-endian words, as the filter `fletcher32` appends it to chunks. */
export function fletcher32(bytes: Uint8Array): number {
  let low = 0;
  let high = 0;
  const even = bytes.length & ~1;
  for (let at = 0; at < even; ) {
    // Sums of 360 words stay within 32 bits.
    const end = Math.min(even, at + 720);
    for (; at < end; at += 2) {
      low += (bytes[at] << 8) | bytes[at + 1];
      high += low;
    }
    low = (low & 0xffff) + (low >>> 16);
    high = (high & 0xffff) + (high >>> 16);
  }
  if (even < bytes.length) {
    low += bytes[even] << 8;
    high += low;
    low = (low & 0xffff) + (low >>> 16);
    high = (high & 0xffff) + (high >>> 16);
  }
  low = (low & 0xffff) + (low >>> 16);
  high = (high & 0xffff) + (high >>> 16);
  return ((high << 16) | low) >>> 0;
}
