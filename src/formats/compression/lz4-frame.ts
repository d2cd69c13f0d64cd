const frameMagic = 0x184d2204;

/**
 * Unpacks LZ4 frames (lz4_Frame_format.md 1.6) into at most `size` bytes. Throws RangeError for anything that does
 * not fit: input that ends early, a match before the start, more output than declared. Written here because the
 * WebAssembly build keeps the state of a failed frame and allocates what a file declares.
 */
export function unpackLz4Frame(input: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  let from = 0;
  let to = 0;
  while (from < input.length) {
    const magic = view.getUint32(from, true);
    if ((magic & 0xfffffff0) >>> 0 === 0x184d2a50) {
      from += 8 + view.getUint32(from + 4, true);
      continue;
    }
    if (magic !== frameMagic) throw new RangeError('not an LZ4 frame');
    const flags = input[from + 4];
    if (flags >> 6 !== 1) throw new RangeError('unknown version of LZ4 frames');
    from += 7 + ((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4);
    for (;;) {
      const word = view.getUint32(from, true);
      from += 4;
      if (word === 0) break;
      const length = word & 0x7fffffff;
      if (length > input.length - from) throw new RangeError('a block reaches past the end');
      if (word >>> 31 === 1) {
        if (length > size - to) throw new RangeError('more bytes than declared');
        output.set(input.subarray(from, from + length), to);
        to += length;
      } else to = unpackBlock(input, from, from + length, output, to);
      from += length + ((flags & 0x10) === 0 ? 0 : 4);
    }
    if ((flags & 0x04) !== 0) from += 4;
  }
  return output.subarray(0, to);
}

function unpackBlock(input: Uint8Array, start: number, end: number, output: Uint8Array, at: number): number {
  let from = start;
  let to = at;
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
    if (literals > end - from || literals > output.length - to) throw new RangeError('literals past the end');
    if (literals < 32) for (let i = 0; i < literals; i++) output[to + i] = input[from + i];
    else output.set(input.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from >= end) return to;
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
    if (distance === 0 || distance > to || length > output.length - to)
      throw new RangeError('a match out of reach');
    to = copyMatch(output, to, distance, length);
  }
  return to;
}

/** A match may overlap what it writes: then its bytes repeat. */
function copyMatch(output: Uint8Array, to: number, distance: number, length: number): number {
  if (distance >= length && length > 32) output.copyWithin(to, to - distance, to - distance + length);
  else for (let i = 0; i < length; i++) output[to + i] = output[to + i - distance];
  return to + length;
}
