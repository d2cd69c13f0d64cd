/** Marc Lehmann's LZF as h5py writes it; `size` is what the filter says comes out, `room` the most that may. */
export function unpackLzf(packed: Uint8Array, room: number, size: number): Uint8Array {
  const plain = new Uint8Array(Math.min(room, Math.max(size, 1)));
  let to = 0;
  for (let at = 0; at < packed.length; ) {
    const control = packed[at++];
    if (control < 32) {
      const count = control + 1;
      if (at + count > packed.length || to + count > plain.length) throw new Error('invalid LZF data');
      plain.set(packed.subarray(at, at + count), to);
      at += count;
      to += count;
      continue;
    }
    let count = control >> 5;
    if (count === 7) count += packed[at++];
    const from = to - ((control & 31) << 8) - packed[at++] - 1;
    count += 2;
    if (!(from >= 0) || !(to + count <= plain.length)) throw new Error('invalid LZF data');
    // Byte by byte: source and target may overlap.
    for (let i = 0; i < count; i++) plain[to + i] = plain[from + i];
    to += count;
  }
  return plain.subarray(0, to);
}
