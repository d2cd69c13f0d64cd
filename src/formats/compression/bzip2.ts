import { BitReader } from './bit-reader.ts';
import { type BlockCoding, codeTable, lookupBits, readCoding } from './bzip2-coding.ts';
import { type Unpacked, type Unpacking, unpackInto } from './unpacked.ts';

const runSymbols = 2;
const groupLength = 50;
const crcTable = bzip2CrcTable();

/**
 * Unpacks bzip2 streams into at most `size` bytes, block by block, each held against its checksum; a block comes out
 * whole or not at all. Memory: the output and four bytes for each of a block's, at most 3.6 MB. Written here so that
 * nothing native reads hostile bytes.
 */
export function unpackBzip2(input: Uint8Array, size: number): Unpacked {
  return unpackInto(size, (to) => {
    for (const block of blocksOf(input)) writeBlock(block, to);
  });
}

/** A block with its bytes still in the order of their successors. */
interface Block {
  /** For each place, the byte there in the lowest eight bits; above them is room for the place that follows it. */
  readonly links: Uint32Array;
  readonly length: number;
  readonly counts: Uint32Array;
  readonly origin: number;
  readonly crc: number;
}

function* blocksOf(input: Uint8Array): Generator<Block> {
  let links = new Uint32Array(0);
  for (let from = 0; from < input.length; ) {
    const level = input[from + 3] - 0x30;
    if (
      input[from] !== 0x42 ||
      input[from + 1] !== 0x5a ||
      input[from + 2] !== 0x68 ||
      !(level >= 1 && level <= 9)
    )
      throw new RangeError('it is no bzip2 stream');
    if (links.length < level * 100_000) links = new Uint32Array(level * 100_000);
    const bits = new BitReader(input, from + 4);
    let combined = 0;
    while (startsBlock(bits)) {
      const block = readBlock(bits, links.subarray(0, level * 100_000));
      combined = ((combined << 1) | (combined >>> 31)) ^ block.crc;
      yield block;
    }
    if (combined >>> 0 !== readCrc(bits)) throw new RangeError('the checksum of the stream is wrong');
    from = bits.nextByte;
  }
}

/** False: the end of the stream. The two marks are the digits of π and of its square root. */
function startsBlock(bits: BitReader): boolean {
  const high = bits.read(24);
  const low = bits.read(24);
  if (high === 0x314159 && low === 0x265359) return true;
  if (high === 0x177245 && low === 0x385090) return false;
  throw new RangeError('no block starts where one should');
}

function readCrc(bits: BitReader): number {
  return ((bits.read(16) << 16) | bits.read(16)) >>> 0;
}

function readBlock(bits: BitReader, links: Uint32Array): Block {
  const crc = readCrc(bits);
  if (bits.read(1) === 1) throw new RangeError('randomised blocks, as bzip2 0.9.0 wrote them, are not read');
  const origin = bits.read(24);
  const counts = new Uint32Array(256);
  const length = readSymbols(bits, readCoding(bits), links, counts);
  if (origin >= length) throw new RangeError('a block does not say where it begins');
  return { links, length, counts, origin, crc };
}

/** Undoes Huffman coding, runs of the front byte and move-to-front; the number of bytes. */
function readSymbols(bits: BitReader, coding: BlockCoding, links: Uint32Array, counts: Uint32Array): number {
  const front = coding.bytes.slice();
  const end = front.length + 1;
  const tables = coding.lengths.map(codeTable);
  let filled = 0;
  let run = 0;
  let weight = 1;
  for (let group = 0; group < coding.selectors.length; group++) {
    const { lookup, slow } = tables[coding.selectors[group]];
    for (let i = 0; i < groupLength; i++) {
      const entry = lookup[bits.peek(lookupBits)];
      const symbol = entry === 0 ? slow(bits) : entry >>> 5;
      if (entry !== 0) bits.skip(entry & 31);
      if (symbol < runSymbols) {
        run += weight << symbol;
        weight <<= 1;
        if (run > links.length - filled) throw new RangeError('a block is longer than its stream allows');
        continue;
      }
      if (run > 0) {
        counts[front[0]] += run;
        links.fill(front[0], filled, filled + run);
        filled += run;
        run = 0;
        weight = 1;
      }
      if (symbol === end) return filled;
      if (filled === links.length) throw new RangeError('a block is longer than its stream allows');
      const byte = toFront(front, symbol - 1);
      links[filled++] = byte;
      counts[byte]++;
    }
  }
  throw new RangeError('a block does not end');
}

function toFront(front: Uint8Array, place: number): number {
  const byte = front[place];
  if (place < 16) for (let i = place; i > 0; i--) front[i] = front[i - 1];
  else front.copyWithin(1, 0, place);
  front[0] = byte;
  return byte;
}

/** Undoes the sorting of the block and the runs of four bytes and a count; checks its checksum. */
function writeBlock({ links, length, counts, origin, crc }: Block, unpacking: Unpacking): void {
  linkSuccessors(links, length, counts);
  const { output } = unpacking;
  let to = unpacking.filled;
  let sum = 0xffffffff;
  let place = links[origin] >>> 8;
  let last = -1;
  let repeats = 0;
  for (let i = 0; i < length; i++) {
    const link = links[place];
    const byte = link & 255;
    place = link >>> 8;
    if (repeats === 4) {
      if (byte > output.length - to) throw new RangeError('more bytes than declared');
      output.fill(last, to, to + byte);
      for (let r = 0; r < byte; r++) sum = (sum << 8) ^ crcTable[(sum >>> 24) ^ last];
      to += byte;
      repeats = 0;
      last = -1;
      continue;
    }
    repeats = byte === last ? repeats + 1 : 1;
    last = byte;
    if (to === output.length) throw new RangeError('more bytes than declared');
    output[to++] = byte;
    sum = (sum << 8) ^ crcTable[(sum >>> 24) ^ byte];
  }
  if (~sum >>> 0 !== crc) throw new RangeError('the checksum of a block is wrong');
  unpacking.filled = to;
}

function linkSuccessors(links: Uint32Array, length: number, counts: Uint32Array): void {
  const starts = new Uint32Array(256);
  for (let byte = 1; byte < 256; byte++) starts[byte] = starts[byte - 1] + counts[byte - 1];
  for (let i = 0; i < length; i++) links[starts[links[i] & 255]++] |= i << 8;
}

/** CRC-32 with the highest bit first, as bzip2 takes it; Node's starts with the lowest. */
function bzip2CrcTable(): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
    return crc;
  });
}
