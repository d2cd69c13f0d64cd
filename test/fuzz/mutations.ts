import type { Random } from '#core';

/** Numbers that length, count and offset fields break over. */
const edges = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
const fills = [0x00, 0xff, 0x7f, 0x80, 0x20];

type Mutation = (bytes: Buffer, random: Random) => Buffer;

/** Each takes bytes that it may write over, and gives back what became of them. */
const mutations: Readonly<Record<string, Mutation>> = {
  flip_bits: (bytes, random) => {
    for (let left = random.integer(1, 8); left > 0; left--)
      bytes[place(bytes, random)] ^= 1 << random.integer(0, 7);
    return bytes;
  },
  set_bytes: (bytes, random) => {
    for (let left = random.integer(1, 6); left > 0; left--)
      bytes[place(bytes, random)] = random.integer(0, 255);
    return bytes;
  },
  truncate: (bytes, random) => bytes.subarray(0, place(bytes, random)),
  cut_out: (bytes, random) => {
    const [from, to] = span(bytes, random, 512);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  /** A piece of the file put in elsewhere. */
  splice: (bytes, random) => {
    const [from, to] = span(bytes, random, 512);
    const at = place(bytes, random);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, to), bytes.subarray(at)]);
  },
  /** A piece of the file written over another. */
  overwrite: (bytes, random) => {
    const [from, to] = span(bytes, random, 256);
    bytes.copy(bytes, place(bytes, random), from, to);
    return bytes;
  },
  /** A word of 2, 4 or 8 bytes, of either byte order, becomes a number at the edge of what it holds. */
  edit_word: (bytes, random) => {
    for (let left = random.integer(1, 3); left > 0; left--) {
      const size = random.pick([2, 4, 8]);
      const word = Buffer.alloc(size);
      word.writeUInt16LE(random.pick(edges) & 0xffff);
      if (size >= 4) word.writeUInt32LE(random.pick(edges));
      if (size === 8) word.writeUInt32LE(random.pick([0, 0, 1, 0x7fffffff, 0xffffffff]), 4);
      if (random.next() < 0.3) word.reverse();
      word.copy(bytes, place(bytes, random));
    }
    return bytes;
  },
  repeat_block: (bytes, random) => {
    const [from, to] = span(bytes, random, 128);
    const block = Buffer.alloc((to - from) * random.integer(2, 40), bytes.subarray(from, to));
    return Buffer.concat([bytes.subarray(0, from), block, bytes.subarray(to)]);
  },
  fill_run: (bytes, random) => {
    const [from, to] = span(bytes, random, 256);
    return bytes.fill(random.pick(fills), from, to);
  },
  swap_halves: (bytes, random) => {
    const at = place(bytes, random);
    return Buffer.concat([bytes.subarray(at), bytes.subarray(0, at)]);
  },
  /** A number written as text grows, turns negative or stops being one. */
  edit_digits: (bytes, random) => {
    const text = bytes.toString('latin1');
    const numbers = [...text.matchAll(/-?\d+(\.\d+)?/g)];
    if (numbers.length === 0) return mutations.edit_word(bytes, random);
    const { 0: number, index } = random.pick(numbers);
    const instead = random.pick(['-1', '0', '1e308', '99999999999', '4294967296', 'NaN', 'null', '[]', '""']);
    return Buffer.from(text.slice(0, index) + instead + text.slice(index + number.length), 'latin1');
  },
};

const names = Object.keys(mutations);

/** One or two mutations of a file, drawn by `random`; `good` stays as it is. */
export function mutate(good: Buffer, random: Random): { bytes: Buffer; names: readonly string[] } {
  const drawn = random.next() < 0.75 ? [random.pick(names)] : [random.pick(names), random.pick(names)];
  let bytes = Buffer.from(good);
  for (const name of drawn) if (bytes.length > 0) bytes = Buffer.from(mutations[name](bytes, random));
  return { bytes, names: drawn };
}

/** Anywhere, but half the time near an end, where formats keep headers, indexes and footers. */
function place(bytes: Buffer, random: Random): number {
  const last = bytes.length - 1;
  const near = Math.min(last, 256);
  const where = random.next();
  if (where < 0.25) return random.integer(0, near);
  return where < 0.5 ? random.integer(last - near, last) : random.integer(0, last);
}

function span(bytes: Buffer, random: Random, longest: number): [from: number, to: number] {
  const from = place(bytes, random);
  return [from, Math.min(bytes.length, from + random.integer(1, longest))];
}
