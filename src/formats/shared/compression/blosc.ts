import { inflateSync, zstdDecompressSync } from 'node:zlib';
import { unpackLz4Block } from './lz4-frame.ts';

const headerBytes = 16;
const flag = { byteShuffle: 0x01, stored: 0x02, bitShuffle: 0x04, unsplit: 0x10 };
/**
 * c-blosc splits a block into one stream per byte of the type, unless the type is wider than 16 bytes or the streams
 * would be shorter than 128 bytes.
 */
const maxSplits = 16;
const minSplitBytes = 128;

type Codec = (input: Uint8Array, into: Uint8Array) => number;

/** Codecs by the upper three bits of the flags. BloscLZ (0) and Snappy (2) are unsupported. */
const codecs: Readonly<Record<number, Codec>> = {
  1: (input, into) => {
    const to = { output: into, filled: 0 };
    unpackLz4Block(input, 0, input.length, to);
    return to.filled;
  },
  3: (input, into) => copy(inflateSync(input, { maxOutputLength: Math.max(1, into.length) }), into),
  4: (input, into) => copy(zstdDecompressSync(input, { maxOutputLength: Math.max(1, into.length) }), into),
};
const codecNames = ['blosclz', 'lz4', 'snappy', 'zlib', 'zstd'];

/**
 * Returns the name of the codec of a c-blosc frame if the frame is compressed with an unsupported one; `null`
 * otherwise.
 */
export function unsupportedBloscCodec(frame: Uint8Array): string | null {
  const codec = frame[2] >> 5;
  const stored = (frame[2] & flag.stored) !== 0;
  return stored || codecs[codec] !== undefined ? null : `blosc with ${codecNames[codec] ?? `codec ${codec}`}`;
}

/**
 * Unpacks a c-blosc 1 frame (README_CHUNK_FORMAT.rst) into exactly `size` bytes; throws RangeError or a zlib error if
 * it is damaged or has another size.
 */
export function unpackBlosc(frame: Uint8Array, size: number): Uint8Array {
  if (frame.length < headerBytes) throw new RangeError('blosc frame header is truncated');
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const [version, flags, typeSize] = [frame[0], frame[2], frame[3]];
  const [plain, blockSize, packed] = [4, 8, 12].map((at) => view.getUint32(at, true));
  if (version !== 2) throw new RangeError(`unsupported blosc frame version ${version}`);
  if (plain !== size) throw new RangeError(`blosc frame has ${plain} bytes, expected ${size}`);
  if (packed > frame.length) throw new RangeError('blosc frame is truncated');
  const output = new Uint8Array(size);
  if ((flags & flag.stored) !== 0) {
    if (headerBytes + size > packed) throw new RangeError('blosc frame is truncated');
    output.set(frame.subarray(headerBytes, headerBytes + size));
    return output;
  }
  if (size === 0) return output;
  if (blockSize === 0 || typeSize === 0) throw new RangeError('blosc frame has no block size');
  const blocks = Math.ceil(size / blockSize);
  if (headerBytes + 4 * blocks > packed) throw new RangeError('blosc frame is truncated');
  const shuffled =
    (flags & (flag.byteShuffle | flag.bitShuffle)) !== 0 && (typeSize > 1 || (flags & flag.bitShuffle) !== 0);
  const scratch = shuffled ? new Uint8Array(Math.min(size, blockSize)) : null;
  for (let block = 0; block < blocks; block++) {
    const into = output.subarray(block * blockSize, Math.min(size, (block + 1) * blockSize));
    const target = scratch === null ? into : scratch.subarray(0, into.length);
    unpackBlock(frame.subarray(0, packed), view.getUint32(headerBytes + 4 * block, true), target, {
      codec: codecs[flags >> 5],
      splits: countSplits(flags, typeSize, into.length, blockSize),
    });
    if (scratch === null) continue;
    if ((flags & flag.byteShuffle) !== 0) byteUnshuffle(target, into, typeSize);
    else bitUnshuffle(target, into, typeSize);
  }
  return output;
}

/** Returns the number of streams of a block; a shorter last block is never split. */
function countSplits(flags: number, typeSize: number, bytes: number, blockSize: number): number {
  const split =
    (flags & flag.unsplit) === 0 &&
    typeSize <= maxSplits &&
    Math.floor(blockSize / typeSize) >= minSplitBytes &&
    bytes === blockSize;
  return split ? typeSize : 1;
}

function unpackBlock(
  frame: Uint8Array,
  start: number,
  into: Uint8Array,
  { codec, splits }: { readonly codec: Codec | undefined; readonly splits: number },
): void {
  if (codec === undefined) throw new RangeError('unsupported blosc codec');
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const streamBytes = Math.floor(into.length / splits);
  let from = start;
  for (let stream = 0; stream < splits; stream++) {
    if (from + 4 > frame.length) throw new RangeError('corrupt blosc frame: a stream extends past the end');
    const length = view.getInt32(from, true);
    from += 4;
    if (length < 0 || length > frame.length - from)
      throw new RangeError('corrupt blosc frame: a stream extends past the end');
    const target = into.subarray(stream * streamBytes, (stream + 1) * streamBytes);
    const source = frame.subarray(from, from + length);
    const filled = length === streamBytes ? copy(source, target) : codec(source, target);
    if (filled !== streamBytes) throw new RangeError('corrupt blosc frame: a stream has the wrong length');
    from += length;
  }
}

function copy(from: Uint8Array, into: Uint8Array): number {
  if (from.length > into.length) throw new RangeError('more bytes than declared');
  into.set(from);
  return from.length;
}

/** Writes `from` to `into` with the byte shuffling of elements of `width` bytes reversed; trailing bytes are copied. */
export function byteUnshuffle(from: Uint8Array, into: Uint8Array, width: number): void {
  const elements = Math.floor(from.length / width);
  for (let byte = 0; byte < width; byte++) {
    const start = byte * elements;
    for (let i = 0, at = byte; i < elements; i++, at += width) into[at] = from[start + i];
  }
  into.set(from.subarray(elements * width), elements * width);
}

/**
 * Reverses bit shuffling of elements of `width` bytes as c-blosc does it: only complete groups of eight elements are
 * shuffled; trailing bytes are copied.
 */
function bitUnshuffle(from: Uint8Array, into: Uint8Array, width: number): void {
  const elements = Math.floor(from.length / width);
  const groups = elements % 8 === 0 ? elements >> 3 : 0;
  for (let byte = 0; byte < width; byte++) {
    const plane = byte * 8 * groups;
    for (let group = 0; group < groups; group++) {
      // Byte k of the group holds bit k of its eight elements: transpose an 8 × 8 bit matrix.
      let low = 0;
      let high = 0;
      for (let bit = 0; bit < 4; bit++) {
        low |= from[plane + bit * groups + group] << (8 * bit);
        high |= from[plane + (bit + 4) * groups + group] << (8 * bit);
      }
      let swap = (low ^ (low >>> 7)) & 0x00aa00aa;
      low ^= swap ^ (swap << 7);
      swap = (high ^ (high >>> 7)) & 0x00aa00aa;
      high ^= swap ^ (swap << 7);
      swap = (low ^ (low >>> 14)) & 0x0000cccc;
      low ^= swap ^ (swap << 14);
      swap = (high ^ (high >>> 14)) & 0x0000cccc;
      high ^= swap ^ (swap << 14);
      const first = (low & 0x0f0f0f0f) | ((high << 4) & 0xf0f0f0f0);
      const last = ((low >>> 4) & 0x0f0f0f0f) | (high & 0xf0f0f0f0);
      for (let i = 0; i < 4; i++) {
        into[(group * 8 + i) * width + byte] = first >>> (8 * i);
        into[(group * 8 + i + 4) * width + byte] = last >>> (8 * i);
      }
    }
  }
  const done = groups * 8 * width;
  into.set(from.subarray(done), done);
}
