import { BitReader, readCoding } from './bzip2-coding.ts';
import { readSymbols } from './bzip2-symbols.ts';
import { type UnpackBuffer, type UnpackResult, unpackInto } from './unpacked.ts';

/** Buffers for a block of at most `size` bytes: five bytes per byte. */
class BlockBuffers {
  /** Bytes of the block: first the last column of the Burrows-Wheeler matrix, after `invertBwt` the original order. */
  readonly bytes: Uint8Array;
  /** Per position: the byte in the lowest eight bits, the position of its successor above them. */
  readonly links: Uint32Array;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.links = new Uint32Array(size);
  }
}

/** Bytes per call of a loop function: V8 optimises frequently called functions sooner than long loops. */
const stride = 1024;

/**
 * Inverts the Burrows-Wheeler transform of the first `length` bytes, whose frequencies are in `counts`. The walk jumps
 * through the whole block and waits for memory at nearly every byte. Two or four bytes per step, a second walk from the
 * end, or several blocks side by side touch more memory and took as long (measured).
 */
function invertBwt(buffers: BlockBuffers, length: number, counts: Uint32Array, origin: number): void {
  const starts = cumulativeStarts(counts);
  for (let from = 0; from < length; from += stride)
    linkSuccessors(buffers, from, Math.min(from + stride, length), starts);
  let position = origin;
  for (let from = 0; from < length; from += stride)
    position = writeInOrder(buffers, from, Math.min(from + stride, length), position);
}

/** Returns the start of each byte's links. */
function cumulativeStarts(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(256);
  for (let byte = 1; byte < 256; byte++) starts[byte] = starts[byte - 1] + counts[byte - 1];
  return starts;
}

function linkSuccessors({ bytes, links }: BlockBuffers, from: number, to: number, starts: Uint32Array): void {
  for (let i = from; i < to; i++) {
    const byte = bytes[i];
    links[starts[byte]++] = (i << 8) | byte;
  }
}

/** Writes the bytes [from, to) by following the links from `start`. Returns the position of the next byte. */
function writeInOrder({ bytes, links }: BlockBuffers, from: number, to: number, start: number): number {
  let position = start;
  for (let i = from; i < to; i++) {
    const link = links[position];
    bytes[i] = link;
    position = link >>> 8;
  }
  return position;
}

const blockBytes = 100_000;

/** Buffers of the last stream, reused for the next one: the chunks of a bag are unpacked one after another. */
let lastBuffers: WeakRef<BlockBuffers> | null = null;

/**
 * Unpacks concatenated bzip2 streams into at most `size` bytes; damage does not throw: `fault` describes it and `bytes`
 * holds the blocks before it.
 *
 * Memory: the output, and five bytes per byte of a block (at most 4.5 MB). Implemented here so that no native code
 * reads untrusted bytes.
 */
export function unpackBzip2(input: Uint8Array, size: number): UnpackResult {
  return unpackInto(size, (to) => {
    for (let from = 0; from < input.length; ) from = readStream(input, from, to);
  });
}

/** Unpacks the stream at byte `from`. Returns its end. */
function readStream(input: Uint8Array, from: number, to: UnpackBuffer): number {
  const level = input[from + 3] - 0x30;
  if (
    input[from] !== 0x42 ||
    input[from + 1] !== 0x5a ||
    input[from + 2] !== 0x68 ||
    !(level >= 1 && level <= 9)
  )
    throw new RangeError('not a bzip2 stream');
  const room = acquireBuffers(level * blockBytes);
  const bits = new BitReader(input, from + 4);
  let combined = 0;
  while (startsBlock(bits)) {
    const crc = readBlock(bits, room, level * blockBytes, to);
    combined = ((combined << 1) | (combined >>> 31)) ^ crc;
  }
  if (combined >>> 0 !== readCrc(bits)) throw new RangeError('bzip2 stream checksum mismatch');
  return bits.nextByte;
}

function acquireBuffers(size: number): BlockBuffers {
  const last = lastBuffers?.deref();
  if (last !== undefined && last.bytes.length >= size) return last;
  const room = new BlockBuffers(size);
  lastBuffers = new WeakRef(room);
  return room;
}

/**
 * Reads the marker of a block (digits of π) or of the end of the stream (digits of its square root). Returns false at
 * the end.
 */
function startsBlock(bits: BitReader): boolean {
  const high = bits.read(24);
  const low = bits.read(24);
  if (high === 0x314159 && low === 0x265359) return true;
  if (high === 0x177245 && low === 0x385090) return false;
  throw new RangeError('corrupt bzip2 data: block header not found');
}

function readCrc(bits: BitReader): number {
  return ((bits.read(16) << 16) | bits.read(16)) >>> 0;
}

/** Unpacks a block of at most `size` bytes (before expanding runs). Returns its checksum. */
function readBlock(bits: BitReader, room: BlockBuffers, size: number, to: UnpackBuffer): number {
  const crc = readCrc(bits);
  if (bits.read(1) === 1) throw new RangeError('randomised blocks (bzip2 0.9.0) are not supported');
  const origin = bits.read(24);
  const counts = new Uint32Array(256);
  const length = readSymbols(bits, readCoding(bits), room.bytes, size, counts);
  if (origin >= length) throw new RangeError('corrupt bzip2 data: invalid block origin');
  invertBwt(room, length, counts, origin);
  const filled = undoRuns(room.bytes, length, to);
  if (bzip2Crc(to.output, to.filled, filled) !== crc) throw new RangeError('bzip2 block checksum mismatch');
  to.filled = filled;
  return crc;
}

/** Progress of run expansion: input position `from`, output position `to`. */
interface RunPosition {
  from: number;
  to: number;
}

/** Expands runs: four equal bytes are followed by a count of further ones. Returns the end of the output. */
function undoRuns(bytes: Uint8Array, length: number, { output, filled }: UnpackBuffer): number {
  const progress: RunPosition = { from: 0, to: filled };
  while (progress.from + 4 <= length && progress.to + 4 <= output.length)
    undoSomeRuns(bytes, length, output, progress);
  return undoLastRuns(bytes, progress.from, length, output, progress.to);
}

/**
 * Expands about the next `stride` bytes. Compares from the fourth byte backwards, so that one comparison usually rules
 * out three run starts.
 */
function undoSomeRuns(bytes: Uint8Array, length: number, output: Uint8Array, position: RunPosition): void {
  let { from, to } = position;
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
  position.from = from;
  position.to = to;
}

/** Expands the rest byte by byte, when fewer than four bytes remain or fit. */
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

/** Eight tables of 256 entries: table k holds the effect of a byte on the checksum when k bytes follow it. */
const tables = crcTables();

/**
 * Computes the CRC-32 of the bytes [from, to), most significant bit first as in bzip2; Node's CRC-32 starts with the
 * least significant bit.
 */
function bzip2Crc(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0xffffffff | 0;
  const whole = from + ((to - from) & ~7);
  for (let at = from; at < whole; at += stride)
    crc = crcByEights(crc, bytes, at, Math.min(at + stride, whole));
  for (let at = whole; at < to; at++) crc = (crc << 8) ^ tables[(crc >>> 24) ^ bytes[at]];
  return ~crc >>> 0;
}

function crcByEights(before: number, bytes: Uint8Array, from: number, to: number): number {
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
  const result = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
    result[byte] = crc;
  }
  for (let i = 256; i < result.length; i++)
    result[i] = (result[i - 256] << 8) ^ result[result[i - 256] >>> 24];
  return result;
}
