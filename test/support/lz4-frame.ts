/** A small LZ4 frame writer (greedy matches, independent blocks of 64 KiB) for tests. */
export function packLz4Frame(input: Uint8Array): Uint8Array {
  const out: number[] = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
  for (let from = 0; from < input.length; from += 65536) {
    const plain = input.subarray(from, from + 65536);
    const packed = packBlock(plain);
    const stored = packed.length >= plain.length;
    const block = stored ? Array.from(plain) : packed;
    const word = (block.length | (stored ? 0x80000000 : 0)) >>> 0;
    out.push(word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24, ...block);
  }
  out.push(0, 0, 0, 0);
  return Uint8Array.from(out);
}

function packBlock(input: Uint8Array): number[] {
  const out: number[] = [];
  const seen = new Map<number, number>();
  let anchor = 0;
  let at = 0;
  while (at + 12 < input.length) {
    const key = input[at] | (input[at + 1] << 8) | (input[at + 2] << 16) | (input[at + 3] << 24);
    const match = seen.get(key);
    seen.set(key, at);
    if (match === undefined) {
      at++;
      continue;
    }
    let length = 4;
    while (at + length < input.length - 5 && input[match + length] === input[at + length]) length++;
    sequence(out, input.subarray(anchor, at), length, at - match);
    at += length;
    anchor = at;
  }
  sequence(out, input.subarray(anchor), 0, 0);
  return out;
}

function sequence(out: number[], literals: Uint8Array, match: number, distance: number): void {
  const coded = match === 0 ? 0 : match - 4;
  out.push((Math.min(15, literals.length) << 4) | Math.min(15, coded));
  extend(out, literals.length);
  out.push(...literals);
  if (match === 0) return;
  out.push(distance & 255, distance >> 8);
  extend(out, coded);
}

function extend(out: number[], length: number): void {
  if (length < 15) return;
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) out.push(255);
  out.push(rest);
}
