/** Puts back bytes that were sorted by their place within an element of `width` bytes; a rest stays where it is. */
export function byteUnshuffle(from: Uint8Array, into: Uint8Array, width: number): void {
  const elements = Math.floor(from.length / width);
  for (let byte = 0; byte < width; byte++) {
    const start = byte * elements;
    for (let i = 0, at = byte; i < elements; i++, at += width) into[at] = from[start + i];
  }
  into.set(from.subarray(elements * width), elements * width);
}

/**
 * Puts back bits that were sorted by their place within an element of `width` bytes, as c-blosc does it: only where the
 * elements come in groups of eight, else nothing was sorted; a rest stays where it is.
 */
export function bitUnshuffle(from: Uint8Array, into: Uint8Array, width: number): void {
  const elements = Math.floor(from.length / width);
  const groups = elements % 8 === 0 ? elements >> 3 : 0;
  for (let byte = 0; byte < width; byte++) {
    const plane = byte * 8 * groups;
    for (let group = 0; group < groups; group++) {
      // Byte k of the group holds bit k of each of its eight elements: an 8 by 8 matrix of bits to be turned.
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
