import { type UnpackBuffer, type UnpackResult, unpackInto } from './unpacked.ts';

const frameMagic = 0x184d2204;
const flag = { blockChecksum: 0x10, contentSize: 0x08, contentChecksum: 0x04, dictionary: 0x01 };

/**
 * Unpacks concatenated LZ4 frames (lz4_Frame_format.md 1.6) into at most `size` bytes; damage does not throw: `fault`
 * describes it and `bytes` holds what was unpacked before.
 *
 * Checksums are verified. Implemented here because the WebAssembly build keeps the state of a failed frame and
 * allocates what a file declares.
 */
export function unpackLz4Frame(input: Uint8Array, size: number): UnpackResult {
  return unpackInto(size, (to) => {
    const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
    let from = 0;
    while (from < input.length) {
      const magic = view.getUint32(from, true);
      if ((magic & 0xfffffff0) >>> 0 === 0x184d2a50) from += 8 + view.getUint32(from + 4, true);
      else if (magic === frameMagic) from = unpackFrame(input, view, from + 4, to);
      else throw new RangeError('not an LZ4 frame');
    }
  });
}

/** Unpacks one frame, after its magic number. Returns its end. */
function unpackFrame(input: Uint8Array, view: DataView, start: number, to: UnpackBuffer): number {
  const flags = input[start];
  if (flags >> 6 !== 1) throw new RangeError('unsupported LZ4 frame version');
  const begin = to.filled;
  let from =
    start + 3 + ((flags & flag.contentSize) === 0 ? 0 : 8) + ((flags & flag.dictionary) === 0 ? 0 : 4);
  for (;;) {
    const word = view.getUint32(from, true);
    from += 4;
    if (word === 0) break;
    const end = from + (word & 0x7fffffff);
    const available = Math.min(end, input.length);
    if (word >>> 31 === 1) copyBlock(input, from, available, to);
    else unpackLz4Block(input, from, available, to);
    if (end > input.length) throw new RangeError('LZ4 data is truncated inside a block');
    if ((flags & flag.blockChecksum) !== 0 && xxhash32(input, from, end) !== view.getUint32(end, true))
      throw new RangeError('LZ4 block checksum mismatch');
    from = end + ((flags & flag.blockChecksum) === 0 ? 0 : 4);
  }
  if ((flags & flag.contentChecksum) === 0) return from;
  if (xxhash32(to.output, begin, to.filled) !== view.getUint32(from, true))
    throw new RangeError('LZ4 frame checksum mismatch');
  return from + 4;
}

function copyBlock(input: Uint8Array, from: number, end: number, to: UnpackBuffer): void {
  if (end - from > to.output.length - to.filled) throw new RangeError('more bytes than declared');
  to.output.set(input.subarray(from, end), to.filled);
  to.filled += end - from;
}

/**
 * Unpacks the LZ4 block in bytes `start` to before `end` of `input` behind the bytes in `progress`, and advances
 * `progress.filled`; throws RangeError if it is invalid or the output is full. Matches may refer to those bytes
 * (lz4_Block_format.md).
 */
export function unpackLz4Block(input: Uint8Array, start: number, end: number, progress: UnpackBuffer): void {
  const { output } = progress;
  let from = start;
  let to = progress.filled;
  while (from < end) {
    const token = input[from++];
    let literals = token >> 4;
    if (literals === 15) {
      let byte = 255;
      while (byte === 255 && from < end) {
        byte = input[from++];
        literals += byte;
      }
    }
    if (literals > end - from || literals > output.length - to)
      throw new RangeError('corrupt LZ4 data: literals past the end of the block');
    if (literals < 32) for (let i = 0; i < literals; i++) output[to + i] = input[from + i];
    else output.set(input.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    progress.filled = to;
    if (from >= end) return;
    const distance = input[from] | (input[from + 1] << 8);
    from += 2;
    let length = (token & 15) + 4;
    if (length === 19) {
      let byte = 255;
      while (byte === 255 && from < end) {
        byte = input[from++];
        length += byte;
      }
    }
    if (distance === 0 || distance > to || length > output.length - to || from > end)
      throw new RangeError('corrupt LZ4 data: match offset out of range');
    to = copyMatch(output, to, distance, length);
    progress.filled = to;
  }
}

/** Copies a match, which may overlap its output; its bytes then repeat. Returns the end of the output. */
function copyMatch(output: Uint8Array, to: number, distance: number, length: number): number {
  if (distance >= length && length > 32) output.copyWithin(to, to - distance, to - distance + length);
  else for (let i = 0; i < length; i++) output[to + i] = output[to + i - distance];
  return to + length;
}

const prime1 = 0x9e3779b1 | 0;
const prime2 = 0x85ebca77 | 0;
const prime3 = 0xc2b2ae3d | 0;
const prime4 = 0x27d4eb2f | 0;
const prime5 = 0x165667b1 | 0;

/** Computes XXH32 (seed 0) of the bytes [start, end), as used in LZ4 frames. */
function xxhash32(bytes: Uint8Array, start: number, end: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;
  let hash = prime5;
  if (end - start >= 16) {
    let a = (prime1 + prime2) | 0;
    let b = prime2;
    let c = 0;
    let d = -prime1 | 0;
    for (const last = end - 16; at <= last; at += 16) {
      a = round(a, view.getInt32(at, true));
      b = round(b, view.getInt32(at + 4, true));
      c = round(c, view.getInt32(at + 8, true));
      d = round(d, view.getInt32(at + 12, true));
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  }
  hash = (hash + (end - start)) | 0;
  for (; at + 4 <= end; at += 4)
    hash = Math.imul(rotate(hash + Math.imul(view.getInt32(at, true), prime3), 17), prime4);
  for (; at < end; at++) hash = Math.imul(rotate(hash + Math.imul(bytes[at], prime5), 11), prime1);
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(lane: number, word: number): number {
  return Math.imul(rotate(lane + Math.imul(word, prime2), 13), prime1);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
