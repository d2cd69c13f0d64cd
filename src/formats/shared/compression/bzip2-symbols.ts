import type { BitReader } from './bzip2-coding.ts';
import {
  type BlockCoding,
  CodeTable,
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
 * in `counts` how often each occurs.
 */
export function readSymbols(
  bits: BitReader,
  coding: BlockCoding,
  into: Uint8Array,
  size: number,
  counts: Uint32Array,
): number {
  const tables = coding.lengths.map((lengths) => new CodeTable(lengths));
  const reading = new SymbolReading(bits, coding.bytes, into, size, counts);
  for (const table of coding.selectors) {
    if (!readGroup(reading, tables[table])) continue;
    bits.moveTo(reading.at * 8 - reading.count);
    return reading.filled;
  }
  return refuse(bits, reading.at * 8 - reading.count, 'a block does not end');
}

/** How far the symbols of a block are read: what `readGroup` leaves for the next. */
class SymbolReading {
  readonly bits: BitReader;
  readonly bytes: Uint8Array;
  readonly into: Uint8Array;
  readonly view: DataView;
  readonly size: number;
  readonly counts: Uint32Array;
  /** The bytes that occur, last used first. */
  readonly front: Uint8Array;
  /** Where in the data the first byte lies that is not held. */
  at: number;
  /** How many bits are held, and these bits, the highest first, with zeros behind the end. */
  count: number;
  held: number;
  filled = 0;
  /** How often the front byte comes, as far as digits said it, and what the next digit counts. */
  run = 0;
  weight = 1;

  constructor(bits: BitReader, used: Uint8Array, into: Uint8Array, size: number, counts: Uint32Array) {
    this.bits = bits;
    this.bytes = bits.bytes;
    this.into = into;
    this.view = new DataView(into.buffer, into.byteOffset, into.byteLength);
    this.size = size;
    this.counts = counts;
    this.front = used.slice();
    this.at = (bits.position >>> 3) + 1;
    this.count = 8 - (bits.position & 7);
    this.held = (twoBytes(this.bytes, this.at - 1) >>> 8) << (32 - this.count);
  }
}

/**
 * Reads symbols that one table codes, up to fifty; true: the last was the block's last. Every error is told as the end
 * of the data where that came first.
 */
function readGroup(reading: SymbolReading, table: CodeTable): boolean {
  const { bits, bytes, into, view, size, counts, front } = reading;
  const { runs, lookup } = table;
  let { at, count, held, filled, run, weight } = reading;
  let ended = false;
  for (let i = 0; i < groupLength; i++) {
    for (; count < 16; count += 16, at += 2) held |= twoBytes(bytes, at) << (16 - count);
    let entry = runs[held >>> (32 - lookupBits)];
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
      entry = lookup[held >>> (32 - lookupBits)];
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
    ended = symbol === front.length + 1;
    if (ended) break;
    if (filled === size) return refuse(bits, at * 8 - count, tooLong);
    const byte = toFront(front, symbol - 1);
    into[filled++] = byte;
    counts[byte]++;
  }
  reading.at = at;
  reading.count = count;
  reading.held = held;
  reading.filled = filled;
  reading.run = run;
  reading.weight = weight;
  return ended;
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
