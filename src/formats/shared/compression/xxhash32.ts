const prime1 = 0x9e3779b1 | 0;
const prime2 = 0x85ebca77 | 0;
const prime3 = 0xc2b2ae3d | 0;
const prime4 = 0x27d4eb2f | 0;
const prime5 = 0x165667b1 | 0;

/** XXH32 with seed 0 of the bytes in [start, end), as LZ4 frames carry it. */
export function xxhash32(bytes: Uint8Array, start: number, end: number): number {
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
