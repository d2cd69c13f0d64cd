import {
  type BitReader,
  type BlockCoding,
  CodeTable,
  lookupBits,
  maxCodeBits,
  maxRunCodesValue,
  runCodesShift,
  runSymbols,
} from './bzip2-coding.ts';

const groupLength = 50;
const tooLong = 'corrupt bzip2 data: block too long';

/**
 * Decodes the symbols of a block into at most `size` bytes of `into`, returns their number, and adds the frequency of
 * each byte to `counts`; throws RangeError if the block is damaged or longer. Symbols are Huffman codes of runs of the
 * front byte and of move-to-front ranks. Moves `bits` behind the block.
 */
export function readSymbols(
  bits: BitReader,
  coding: BlockCoding,
  into: Uint8Array,
  size: number,
  counts: Uint32Array,
): number {
  const tables = coding.lengths.map((lengths) => new CodeTable(lengths));
  const reading = new SymbolState(bits, coding.bytes, into, size, counts);
  for (const table of coding.selectors) {
    if (!readGroup(reading, tables[table])) continue;
    bits.moveTo(reading.at * 8 - reading.count);
    return reading.filled;
  }
  return refuse(bits, reading.at * 8 - reading.count, 'corrupt bzip2 data: block without end marker');
}

/** Decoding state of a block, carried from one `readGroup` call to the next. */
class SymbolState {
  readonly bits: BitReader;
  readonly bytes: Uint8Array;
  readonly into: Uint8Array;
  readonly view: DataView;
  readonly size: number;
  readonly counts: Uint32Array;
  /** Move-to-front list of the bytes that occur. */
  readonly front: Uint8Array;
  /** Offset of the first byte that is not buffered yet. */
  at: number;
  /** Number of buffered bits, and the bits, most significant first, padded with zeros. */
  count: number;
  buffer: number;
  filled = 0;
  /** Run length of the front byte so far, and the weight of the next digit. */
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
    this.buffer = (twoBytes(this.bytes, this.at - 1) >>> 8) << (32 - this.count);
  }
}

/**
 * Decodes up to fifty symbols with one table. Returns true if the last symbol was the end of the block. If the data
 * ends before an error occurs, the end of the data is reported.
 */
function readGroup(reading: SymbolState, table: CodeTable): boolean {
  const { bits, bytes, into, view, size, counts, front } = reading;
  const { runs, lookup } = table;
  let { at, count, buffer, filled, run, weight } = reading;
  let ended = false;
  for (let i = 0; i < groupLength; i++) {
    for (; count < 16; count += 16, at += 2) buffer |= twoBytes(bytes, at) << (16 - count);
    let entry = runs[buffer >>> (32 - lookupBits)];
    const codes = entry >>> runCodesShift;
    if (codes > 0) {
      if (i + codes <= groupLength && run + weight * maxRunCodesValue <= size - filled) {
        buffer <<= entry & 31;
        count -= entry & 31;
        run += weight * ((entry >>> 5) & maxRunCodesValue);
        weight <<= codes;
        i += codes - 1;
        continue;
      }
      entry = lookup[buffer >>> (32 - lookupBits)];
    }
    if (entry === 0) {
      entry = longCode(bits, table, at * 8 - count);
      if (count < 24) {
        buffer |= (twoBytes(bytes, at++) >>> 8) << (24 - count);
        count += 8;
      }
    }
    buffer <<= entry & 31;
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
    const byte = moveToFront(front, symbol - 1);
    into[filled++] = byte;
    counts[byte]++;
  }
  reading.at = at;
  reading.count = count;
  reading.buffer = buffer;
  reading.filled = filled;
  reading.run = run;
  reading.weight = weight;
  return ended;
}

function twoBytes(bytes: Uint8Array, at: number): number {
  if (at + 1 < bytes.length) return (bytes[at] << 8) | bytes[at + 1];
  return at < bytes.length ? bytes[at] << 8 : 0;
}

/** Decodes a code of more than `lookupBits` bits, as an entry like those of `lookup`. */
function longCode(bits: BitReader, table: CodeTable, position: number): number {
  const at = position >>> 3;
  const next = (twoBytes(bits.bytes, at) << 16) | twoBytes(bits.bytes, at + 2);
  const entry = table.long((next << (position & 7)) >>> (32 - maxCodeBits));
  return entry > 0 ? entry : refuse(bits, position + maxCodeBits, 'corrupt bzip2 data: unknown Huffman code');
}

/** Throws RangeError with `what`, or because the data ends before `position`. */
function refuse(bits: BitReader, position: number, what: string): never {
  bits.moveTo(position);
  throw new RangeError(what);
}

/** Writes a run. Most runs are short, so sixteen bytes are written at once even if fewer are needed. */
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

function moveToFront(front: Uint8Array, rank: number): number {
  const byte = front[rank];
  if (rank < 24) for (let i = rank; i > 0; i--) front[i] = front[i - 1];
  else front.copyWithin(1, 0, rank);
  front[0] = byte;
  return byte;
}
