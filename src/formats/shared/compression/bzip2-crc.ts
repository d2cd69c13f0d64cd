import { stride } from './bzip2-order.ts';

/** Eight tables of 256 after one another: the k-th holds what a byte does to the sum when k bytes follow it. */
const tables = crcTables();

/** CRC-32 of the bytes in [from, to) with the highest bit first, as bzip2 takes it; Node's starts with the lowest. */
export function bzip2Crc(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0xffffffff | 0;
  const whole = from + ((to - from) & ~7);
  for (let at = from; at < whole; at += stride) crc = sumEights(crc, bytes, at, Math.min(at + stride, whole));
  for (let at = whole; at < to; at++) crc = (crc << 8) ^ tables[(crc >>> 24) ^ bytes[at]];
  return ~crc >>> 0;
}

function sumEights(before: number, bytes: Uint8Array, from: number, to: number): number {
  let crc = before;
  for (let at = from; at < to; at += 8) {
    crc =
      tables[1792 + ((crc >>> 24) ^ bytes[at])] ^
      tables[1536 + (((crc >>> 16) & 255) ^ bytes[at + 1])] ^
      tables[1280 + (((crc >>> 8) & 255) ^ bytes[at + 2])] ^
      tables[1024 + ((crc & 255) ^ bytes[at + 3])] ^
      tables[768 + bytes[at + 4]] ^
      tables[512 + bytes[at + 5]] ^
      tables[256 + bytes[at + 6]] ^
      tables[bytes[at + 7]];
  }
  return crc;
}

function crcTables(): Int32Array {
  const made = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
    made[byte] = crc;
  }
  for (let i = 256; i < made.length; i++) made[i] = (made[i - 256] << 8) ^ made[made[i - 256] >>> 24];
  return made;
}
