import type { Series } from '#core/episode';
import { type PicturePrints, picturesAgree } from '../pictures/picture-prints.ts';

/** What is held of an episode's signals to find copies of them. */
export type SignalRow = {
  /** Sketch of the rows of the state (or what stands for it), and how many rows there are. */
  readonly rows: readonly number[];
  readonly samples: number;
  /** Sketch of the rows of the commands, where they seldom repeat. */
  readonly commands?: readonly number[];
  /** Its texts, or a digest of them. */
  readonly text: string;
  readonly pictures?: PicturePrints;
};

export interface SignalCopies {
  /** By position: the earlier episode that it is a copy of. */
  readonly copies: ReadonlyMap<number, SketchMatch & { readonly of_commands: boolean }>;
  /** Episodes with the signals of an earlier one in another scene. */
  readonly repeated: readonly number[];
}

/** Earlier episodes of one motion that a later one's pictures are held against. */
const mostCompared = 32;

/**
 * Equal signals alone are no proof of a copy: a script or a replay makes one motion in many scenes. They are one where
 * the pictures agree too; without pictures where the state is the same, or the commands are and the texts agree.
 */
export function copiesAmong(rows: readonly SignalRow[]): SignalCopies {
  const copies = new Map<number, SketchMatch & { readonly of_commands: boolean }>();
  const repeated = new Set<number>();
  for (const [sketches, of_commands] of [
    [rows.map((row) => row.rows), false],
    [rows.map((row) => row.commands), true],
  ] as const) {
    const sameMotion = new Map<number, number[]>();
    for (const [i, { of, alike }] of findCopies(sketches)) {
      if (copies.has(i)) continue;
      const earlier = sameMotion.get(of) ?? [of];
      const original = earlier.find((other) => isSameScene(rows[i], rows[other], of_commands));
      if (original !== undefined) {
        copies.set(i, { of: original, alike, of_commands });
        repeated.delete(i);
        continue;
      }
      repeated.add(i);
      if (earlier.length < mostCompared) earlier.push(i);
      sameMotion.set(of, earlier);
    }
  }
  return { copies, repeated: [...repeated].sort((a, b) => a - b) };
}

function isSameScene(one: SignalRow, other: SignalRow, of_commands: boolean): boolean {
  const seen = picturesAgree(one.pictures ?? null, other.pictures ?? null);
  return seen ?? (!of_commands || one.text === other.text);
}

/** Hashes kept of an episode. */
const kept = 8;

/**
 * The smallest hashes of the distinct rows of one stream (its dimensions in single precision): a bottom-k sketch. Copies
 * share them, and so do copies with rows cut off at either end, since which rows are kept depends on the rows alone.
 */
export function rowSketch({ values, dims }: Series): number[] {
  const count = Math.floor(values.length / dims);
  if (hashes.length < count) hashes = new Uint32Array(count);
  hashes.fill(0x9e3779b9, 0, count);
  for (let d = 0; d < dims; d++) absorb(values, dims, d, hashes, count);
  return smallest(hashes, count);
}

/** Kept between episodes: only the smallest leave it. */
let hashes = new Uint32Array(4096);

const scratch = new ArrayBuffer(4 * 4096);
const floats = new Float32Array(scratch);
const words = new Uint32Array(scratch);

/** Mixes one column into the rows' hashes (the multiply and shift steps of MurmurHash3), a block at a time. */
function absorb(
  values: Float32Array | Float64Array,
  dims: number,
  d: number,
  hashes: Uint32Array,
  rows: number,
): void {
  for (let from = 0; from < rows; from += floats.length) {
    const count = Math.min(floats.length, rows - from);
    for (let i = 0, at = from * dims + d; i < count; i++, at += dims) floats[i] = values[at];
    for (let i = 0; i < count; i++) {
      const mixed = Math.imul(hashes[from + i] ^ words[i], 0x85ebca6b);
      hashes[from + i] = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
    }
  }
}

function smallest(hashes: Uint32Array, count: number): number[] {
  const least: number[] = [];
  let limit = Infinity;
  for (let i = 0; i < count; i++) {
    const raw = hashes[i];
    const hash = (raw ^ (raw >>> 13)) >>> 0;
    if (hash >= limit || least.includes(hash)) continue;
    let at = least.length < kept ? least.length : kept - 1;
    for (; at > 0 && least[at - 1] > hash; at--) least[at] = least[at - 1];
    least[at] = hash;
    if (least.length === kept) limit = least[kept - 1];
  }
  return least;
}

interface SketchMatch {
  readonly of: number;
  /** Share of the hashes that both hold. */
  readonly alike: number;
}

/** Fewer distinct rows than hashes: an episode that hardly moves has no fingerprint. */
export function hasSketch(sketch: readonly number[] | undefined): sketch is readonly number[] {
  return sketch !== undefined && sketch.length === kept;
}

/** For every sketch that shares at least half of its hashes with an earlier one: the first such. Linear. */
function findCopies(sketches: readonly (readonly number[] | undefined)[]): Map<number, SketchMatch> {
  const found = new Map<number, SketchMatch>();
  const holders = new Map<number, number[]>();
  // Nearly every hash has one holder, for which an array each would be most of the work.
  const first = new Map<number, number>();
  sketches.forEach((sketch, i) => {
    if (!hasSketch(sketch)) return;
    let shared: Map<number, number> | undefined;
    for (const hash of sketch) {
      // Of 32 bits; a signed one is a key that V8 keeps without an object.
      const key = hash | 0;
      const holder = first.get(key);
      if (holder === undefined) {
        first.set(key, i);
        continue;
      }
      const known = holders.get(key) ?? [holder];
      shared ??= new Map();
      for (const earlier of known) shared.set(earlier, (shared.get(earlier) ?? 0) + 1);
      if (known.length < mostHolders) known.push(i);
      holders.set(key, known);
    }
    const match = shared === undefined ? null : firstAlike(shared);
    if (match !== null) found.set(i, match);
  });
  return found;
}

/** A row that so many episodes hold (a rest pose) does not need to be looked for in more. */
const mostHolders = 8;

function firstAlike(shared: ReadonlyMap<number, number>): SketchMatch | null {
  let match: SketchMatch | null = null;
  for (const [of, count] of shared)
    if (count * 2 >= kept && (match === null || of < match.of)) match = { of, alike: count / kept };
  return match;
}
