import { BitReader, readCoding } from './bzip2-coding.ts';
import { readSymbols } from './bzip2-symbols.ts';
import { type Unpacked, type Unpacking, unpackInto } from './unpacked.ts';

/** Room for one block of at most `size` bytes: five bytes for each. */
class BlockRoom {
  /** The bytes of the block: sorted by what follows each, then, once `undoOrder` went over them, in their order. */
  readonly bytes: Uint8Array;
  /** For each place, the byte there in the lowest eight bits; above them the place that follows it. */
  readonly links: Uint32Array;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.links = new Uint32Array(size);
  }
}

/** Bytes that one call of a loop goes through: V8 makes code fast that is called often sooner than a loop that is not. */
const stride = 1024;

/**
 * Undoes the sorting of the first `length` bytes, of which `counts` says how often each occurs. The walk jumps through
 * the whole block and waits for memory at nearly each byte. Two or four bytes a step, a second walk from the end
 * backwards, or the walks of two or four blocks side by side touch more memory and took as long (measured).
 */
function undoOrder(room: BlockRoom, length: number, counts: Uint32Array, origin: number): void {
  const starts = startsOf(counts);
  for (let from = 0; from < length; from += stride)
    linkSuccessors(room, from, Math.min(from + stride, length), starts);
  let place = origin;
  for (let from = 0; from < length; from += stride)
    place = walk(room, from, Math.min(from + stride, length), place);
}

/** Where each byte's links start. */
function startsOf(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(256);
  for (let byte = 1; byte < 256; byte++) starts[byte] = starts[byte - 1] + counts[byte - 1];
  return starts;
}

function linkSuccessors({ bytes, links }: BlockRoom, from: number, to: number, starts: Uint32Array): void {
  for (let i = from; i < to; i++) {
    const byte = bytes[i];
    links[starts[byte]++] = (i << 8) | byte;
  }
}

/** Writes the bytes of [from, to), the first of which lies at `start`; where the next lies. */
function walk({ bytes, links }: BlockRoom, from: number, to: number, start: number): number {
  let place = start;
  for (let i = from; i < to; i++) {
    const link = links[place];
    bytes[i] = link;
    place = link >>> 8;
  }
  return place;
}

const blockBytes = 100_000;

/** The room of the last stream, for the next: the chunks of a bag are unpacked one after the other. */
let lastRoom: WeakRef<BlockRoom> | null = null;

/**
 * Unpacks bzip2 streams into at most `size` bytes, block by block, each held against its checksum; a block comes out
 * whole or not at all. Memory: the output and five bytes for each of a block's, at most 4.5 MB. Written here so that
 * nothing native reads hostile bytes.
 */
export function unpackBzip2(input: Uint8Array, size: number): Unpacked {
  return unpackInto(size, (to) => {
    for (let from = 0; from < input.length; ) from = readStream(input, from, to);
  });
}

/** Where the stream that starts at byte `from` ends. */
function readStream(input: Uint8Array, from: number, to: Unpacking): number {
  const level = input[from + 3] - 0x30;
  if (
    input[from] !== 0x42 ||
    input[from + 1] !== 0x5a ||
    input[from + 2] !== 0x68 ||
    !(level >= 1 && level <= 9)
  )
    throw new RangeError('it is no bzip2 stream');
  const room = roomFor(level * blockBytes);
  const bits = new BitReader(input, from + 4);
  let combined = 0;
  while (startsBlock(bits)) {
    const crc = readBlock(bits, room, level * blockBytes, to);
    combined = ((combined << 1) | (combined >>> 31)) ^ crc;
  }
  if (combined >>> 0 !== readCrc(bits)) throw new RangeError('the checksum of the stream is wrong');
  return bits.nextByte;
}

function roomFor(size: number): BlockRoom {
  const last = lastRoom?.deref();
  if (last !== undefined && last.bytes.length >= size) return last;
  const room = new BlockRoom(size);
  lastRoom = new WeakRef(room);
  return room;
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

/** Unpacks a block of at most `size` bytes before the undoing of runs; its checksum. */
function readBlock(bits: BitReader, room: BlockRoom, size: number, to: Unpacking): number {
  const crc = readCrc(bits);
  if (bits.read(1) === 1) throw new RangeError('randomised blocks, as bzip2 0.9.0 wrote them, are not read');
  const origin = bits.read(24);
  const counts = new Uint32Array(256);
  const length = readSymbols(bits, readCoding(bits), room.bytes, size, counts);
  if (origin >= length) throw new RangeError('a block does not say where it begins');
  undoOrder(room, length, counts, origin);
  const filled = undoRuns(room.bytes, length, to);
  if (bzip2Crc(to.output, to.filled, filled) !== crc)
    throw new RangeError('the checksum of a block is wrong');
  to.filled = filled;
  return crc;
}

/** How far runs are undone: up to `from` of what is read, up to `to` of what is written. */
interface RunPlace {
  from: number;
  to: number;
}

/** Writes the first `length` bytes out, of which four that are the same are followed by how many more there are; up to where. */
function undoRuns(bytes: Uint8Array, length: number, { output, filled }: Unpacking): number {
  const place: RunPlace = { from: 0, to: filled };
  while (place.from + 4 <= length && place.to + 4 <= output.length)
    undoSomeRuns(bytes, length, output, place);
  return undoLastRuns(bytes, place.from, length, output, place.to);
}

/**
 * About the next `stride` bytes of them. Four that are the same and start at one of three places hold the pair behind
 * the third: one look for three.
 */
function undoSomeRuns(bytes: Uint8Array, length: number, output: Uint8Array, place: RunPlace): void {
  let { from, to } = place;
  const until = Math.min(from + stride, length - 3);
  while (from < until && to + 4 <= output.length) {
    const byte = bytes[from + 3];
    output[to] = bytes[from];
    output[to + 1] = bytes[from + 1];
    output[to + 2] = bytes[from + 2];
    const others = bytes[from + 2] !== byte ? 3 : bytes[from + 1] !== byte ? 2 : bytes[from] !== byte ? 1 : 0;
    if (others > 0) {
      from += others;
      to += others;
      continue;
    }
    output[to + 3] = byte;
    from += 4;
    to += 4;
    const more = from < length ? bytes[from++] : 0;
    if (more > output.length - to) throw new RangeError('more bytes than declared');
    output.fill(byte, to, to + more);
    to += more;
  }
  place.from = from;
  place.to = to;
}

/** The same, byte by byte, where less than four are left or have room. */
function undoLastRuns(
  bytes: Uint8Array,
  from: number,
  length: number,
  output: Uint8Array,
  filled: number,
): number {
  let to = filled;
  let last = -1;
  let repeats = 0;
  for (let i = from; i < length; i++) {
    const byte = bytes[i];
    if (repeats === 4) {
      if (byte > output.length - to) throw new RangeError('more bytes than declared');
      output.fill(last, to, to + byte);
      to += byte;
      repeats = 0;
      last = -1;
      continue;
    }
    repeats = byte === last ? repeats + 1 : 1;
    last = byte;
    if (to === output.length) throw new RangeError('more bytes than declared');
    output[to++] = byte;
  }
  return to;
}

/** Eight tables of 256 after one another: the k-th holds what a byte does to the sum when k bytes follow it. */
const tables = crcTables();

/** CRC-32 of the bytes in [from, to) with the highest bit first, as bzip2 takes it; Node's starts with the lowest. */
function bzip2Crc(bytes: Uint8Array, from: number, to: number): number {
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
