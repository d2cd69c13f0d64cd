import type { BitReader } from './bit-reader.ts';
import {
  type BlockCoding,
  type CodeTable,
  codeTable,
  lookupBits,
  maxCodeBits,
  maxRunCodesValue,
  runCodesShift,
  runSymbols,
} from './bzip2-coding.ts';

const groupLength = 50;
const tooLong = 'a block is longer than its stream allows';

/**
 * Undoes Huffman coding, runs of the front byte and move-to-front into at most `size` bytes; the number of bytes, and
 * in `counts` how often each occurs. What comes next is held in 32 bits, the highest first, with zeros behind the end:
 * every error is told as the end of the data where that came first.
 */
export function readSymbols(
  bits: BitReader,
  coding: BlockCoding,
  into: Uint8Array,
  size: number,
  counts: Uint32Array,
): number {
  const { bytes } = bits;
  const view = new DataView(into.buffer, into.byteOffset, into.byteLength);
  const front = coding.bytes.slice();
  const end = front.length + 1;
  const tables = coding.lengths.map(codeTable);
  let at = (bits.position >>> 3) + 1;
  let count = 8 - (bits.position & 7);
  let held = (twoBytes(bytes, at - 1) >>> 8) << (32 - count);
  let filled = 0;
  let run = 0;
  let weight = 1;
  for (let group = 0; group < coding.selectors.length; group++) {
    const table = tables[coding.selectors[group]];
    for (let i = 0; i < groupLength; i++) {
      for (; count < 16; count += 16, at += 2) held |= twoBytes(bytes, at) << (16 - count);
      let entry = table.runs[held >>> (32 - lookupBits)];
      const codes = entry >>> runCodesShift;
      if (codes > 0) {
        if (i + codes <= groupLength && run + weight * maxRunCodesValue <= size - filled) {
          held <<= entry & 31;
          count -= entry & 31;
          run += weight * ((entry >>> 5) & maxRunCodesValue);
          weight <<= codes;
          i += codes - 1;
          continue;
        }
        entry = table.lookup[held >>> (32 - lookupBits)];
      }
      if (entry === 0) {
        entry = longCode(bits, table, at * 8 - count);
        if (count < 24) {
          held |= (twoBytes(bytes, at++) >>> 8) << (24 - count);
          count += 8;
        }
      }
      held <<= entry & 31;
      count -= entry & 31;
      const symbol = entry >>> 5;
      if (symbol < runSymbols) {
        run += weight << symbol;
        weight <<= 1;
        if (run > size - filled) return refuse(bits, at * 8 - count, tooLong);
        continue;
      }
      if (run > 0) {
        counts[front[0]] += run;
        writeRun(into, view, filled, front[0], run);
        filled += run;
        run = 0;
        weight = 1;
      }
      if (symbol === end) {
        bits.moveTo(at * 8 - count);
        return filled;
      }
      if (filled === size) return refuse(bits, at * 8 - count, tooLong);
      const byte = toFront(front, symbol - 1);
      into[filled++] = byte;
      counts[byte]++;
    }
  }
  return refuse(bits, at * 8 - count, 'a block does not end');
}

function twoBytes(bytes: Uint8Array, at: number): number {
  if (at + 1 < bytes.length) return (bytes[at] << 8) | bytes[at + 1];
  return at < bytes.length ? bytes[at] << 8 : 0;
}

/** A code of more than `lookupBits` bits, as the lookup would say it. */
function longCode(bits: BitReader, table: CodeTable, position: number): number {
  const at = position >>> 3;
  const next = (twoBytes(bits.bytes, at) << 16) | twoBytes(bits.bytes, at + 2);
  const entry = table.long((next << (position & 7)) >>> (32 - maxCodeBits));
  return entry > 0 ? entry : refuse(bits, position + maxCodeBits, 'no code is like this');
}

/** Throws what is wrong up to `position`, or that the data ends before that. */
function refuse(bits: BitReader, position: number, what: string): never {
  bits.moveTo(position);
  throw new RangeError(what);
}

/** Most runs are short: sixteen bytes are written without asking how many of them are wanted. */
function writeRun(into: Uint8Array, view: DataView, from: number, byte: number, length: number): void {
  if (length > 16 || from + 16 > into.length) {
    into.fill(byte, from, from + length);
    return;
  }
  const four = Math.imul(byte, 0x01010101);
  view.setUint32(from, four);
  view.setUint32(from + 4, four);
  view.setUint32(from + 8, four);
  view.setUint32(from + 12, four);
}

function toFront(front: Uint8Array, place: number): number {
  const byte = front[place];
  if (place < 24) for (let i = place; i > 0; i--) front[i] = front[i - 1];
  else front.copyWithin(1, 0, place);
  front[0] = byte;
  return byte;
}
