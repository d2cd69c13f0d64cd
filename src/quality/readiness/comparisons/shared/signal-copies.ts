import type { Series } from '#core/episode';
import { type PicturePrints, picturesAgree } from '../../pictures/picture-similarity.ts';

/** Row of one episode for finding copies of its signals. */
export type SignalRow = {
  /** Sketch of the rows of the state (or of the stream used instead), and its number of rows. */
  readonly rows: readonly number[];
  readonly samples: number;
  /** Sketch of the rows of the commands; absent if they repeat too often. */
  readonly commands?: readonly number[];
  /** Task texts of the episode, or a digest of them. */
  readonly text: string;
  readonly pictures?: PicturePrints;
};

/** Result of searching signal rows for copies. */
export interface SignalCopies {
  /** Earlier episode that each copy matches, by index. */
  readonly copies: ReadonlyMap<number, SketchMatch & { readonly of_commands: boolean }>;
  /** Indices of episodes that repeat the signals of an earlier one in another scene. */
  readonly repeated: readonly number[];
}

/** Maximum number of earlier episodes of one motion whose pictures a later one is compared with. */
const maxComparedScenes = 32;

/**
 * Finds episodes that copy an earlier one (with pictures that agree; without any, equal state, or equal commands and
 * texts), and those that only repeat its motion (`repeated`). Pass `rows` in episode order. Equal signals alone do
 * not prove a copy, since a script or a replay makes one motion in many scenes.
 */
export function findSignalCopies(rows: readonly SignalRow[]): SignalCopies {
  const copies = new Map<number, SketchMatch & { readonly of_commands: boolean }>();
  const repeated = new Set<number>();
  for (const [sketches, of_commands] of [
    [rows.map((row) => row.rows), false],
    [rows.map((row) => row.commands), true],
  ] as const) {
    const sameMotion = new Map<number, number[]>();
    for (const [i, { of, alike }] of matchSketches(sketches)) {
      if (copies.has(i)) continue;
      const earlier = sameMotion.get(of) ?? [of];
      const original = earlier.find((other) => isSameScene(rows[i], rows[other], of_commands));
      if (original !== undefined) {
        copies.set(i, { of: original, alike, of_commands });
        repeated.delete(i);
        continue;
      }
      repeated.add(i);
      if (earlier.length < maxComparedScenes) earlier.push(i);
      sameMotion.set(of, earlier);
    }
  }
  return { copies, repeated: [...repeated].sort((a, b) => a - b) };
}

function isSameScene(one: SignalRow, other: SignalRow, of_commands: boolean): boolean {
  const sameScene = picturesAgree(one.pictures ?? null, other.pictures ?? null);
  return sameScene ?? (!of_commands || one.text === other.text);
}

/** Number of hashes in a sketch. */
const sketchSize = 8;

/**
 * Returns a bottom-k sketch of a stream: the smallest hashes of its distinct rows (in single precision), ascending;
 * fewer if it has fewer rows. Copies share them, even with rows cut off at either end, because the selection depends
 * on the rows alone.
 */
export function sketchRows({ values, dims }: Series): number[] {
  const count = Math.floor(values.length / dims);
  if (hashes.length < count) hashes = new Uint32Array(count);
  hashes.fill(0x9e3779b9, 0, count);
  for (let d = 0; d < dims; d++) mixColumn(values, dims, d, hashes, count);
  return selectSmallest(hashes, count);
}

/** Working memory, reused between episodes. */
let hashes = new Uint32Array(4096);

const blockBuffer = new ArrayBuffer(4 * 4096);
const blockFloats = new Float32Array(blockBuffer);
const blockWords = new Uint32Array(blockBuffer);

/**
 * Mixes one column into the rows' hashes (the multiply and shift steps of MurmurHash3), one block at a time.
 */
function mixColumn(
  values: Float32Array | Float64Array,
  dims: number,
  d: number,
  hashes: Uint32Array,
  rows: number,
): void {
  for (let from = 0; from < rows; from += blockFloats.length) {
    const count = Math.min(blockFloats.length, rows - from);
    for (let i = 0, at = from * dims + d; i < count; i++, at += dims) blockFloats[i] = values[at];
    for (let i = 0; i < count; i++) {
      const mixed = Math.imul(hashes[from + i] ^ blockWords[i], 0x85ebca6b);
      hashes[from + i] = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
    }
  }
}

function selectSmallest(hashes: Uint32Array, count: number): number[] {
  const smallestHashes: number[] = [];
  let limit = Infinity;
  for (let i = 0; i < count; i++) {
    const raw = hashes[i];
    const hash = (raw ^ (raw >>> 13)) >>> 0;
    if (hash >= limit || smallestHashes.includes(hash)) continue;
    let at = smallestHashes.length < sketchSize ? smallestHashes.length : sketchSize - 1;
    for (; at > 0 && smallestHashes[at - 1] > hash; at--) smallestHashes[at] = smallestHashes[at - 1];
    smallestHashes[at] = hash;
    if (smallestHashes.length === sketchSize) limit = smallestHashes[sketchSize - 1];
  }
  return smallestHashes;
}

interface SketchMatch {
  readonly of: number;
  /** Fraction of the hashes that both sketches contain. */
  readonly alike: number;
}

/**
 * Returns `true` if a sketch exists and is full; an episode with fewer distinct rows hardly moves and has no usable
 * fingerprint.
 */
export function isFullSketch(sketch: readonly number[] | undefined): sketch is readonly number[] {
  return sketch !== undefined && sketch.length === sketchSize;
}

/**
 * Finds, for every sketch that shares at least half of its hashes with an earlier one, the first such. Linear
 * time.
 */
function matchSketches(sketches: readonly (readonly number[] | undefined)[]): Map<number, SketchMatch> {
  const found = new Map<number, SketchMatch>();
  const holders = new Map<number, number[]>();
  // Nearly every hash belongs to one sketch; an array for each would dominate the cost.
  const first = new Map<number, number>();
  sketches.forEach((sketch, i) => {
    if (!isFullSketch(sketch)) return;
    let shared: Map<number, number> | undefined;
    for (const hash of sketch) {
      // As a signed 32-bit integer, which V8 stores without allocation.
      const key = hash | 0;
      const holder = first.get(key);
      if (holder === undefined) {
        first.set(key, i);
        continue;
      }
      const hashHolders = holders.get(key) ?? [holder];
      shared ??= new Map();
      for (const earlier of hashHolders) shared.set(earlier, (shared.get(earlier) ?? 0) + 1);
      if (hashHolders.length < maxHolders) hashHolders.push(i);
      holders.set(key, hashHolders);
    }
    const match = shared === undefined ? null : selectFirstMatch(shared);
    if (match !== null) found.set(i, match);
  });
  return found;
}

/** Maximum number of sketches registered for one hash; a more common row is a rest pose. */
const maxHolders = 8;

function selectFirstMatch(shared: ReadonlyMap<number, number>): SketchMatch | null {
  let match: SketchMatch | null = null;
  for (const [of, count] of shared)
    if (count * 2 >= sketchSize && (match === null || of < match.of))
      match = { of, alike: count / sketchSize };
  return match;
}
