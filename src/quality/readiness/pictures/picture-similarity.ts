import { gridSide, type SampledFrames } from '#core/episode';
import type { Subject } from '../check.ts';

/**
 * Compact appearance of an episode, small enough to hold for every episode of a dataset: by camera id, the
 * grids (8 x 8 means of luma, base64) of a frame at the beginning, at a third, at two thirds and at the end.
 */
export type PicturePrints = { readonly [camera: string]: string };

const blockCount = gridSide * gridSide;
/** Times of the frames, as fractions of the time between first and last frame. */
const sampleFractions = [0, 1 / 3, 2 / 3, 1] as const;
/** Maximum change of a block mean, in levels of 255, caused by re-encoding or flicker. */
const maxLevelDifference = 4;
/**
 * Maximum number of blocks that may differ by more, in the first or the last frame, because something moves
 * there.
 */
const maxMovingBlocks = 2;

/** Returns a fingerprint of the decoded frames of each camera, by camera id; `null` if no camera has decoded frames. */
export function computePicturePrints({ cameras }: Pick<Subject, 'cameras'>): PicturePrints | null {
  const prints: Record<string, string> = {};
  let hasPictures = false;
  for (const [id, { sampled }] of cameras) {
    if (sampled.index.length === 0) continue;
    prints[id] = encodePrint(sampled);
    hasPictures = true;
  }
  return hasPictures ? prints : null;
}

function encodePrint(sampled: SampledFrames): string {
  const { grid, time_s } = sampled;
  const last = time_s.length - 1;
  const print = new Uint8Array(sampleFractions.length * blockCount);
  sampleFractions.forEach((share, i) => {
    const at = findNearestFrame(time_s, time_s[0] + share * (time_s[last] - time_s[0]));
    print.set(grid.subarray(at * blockCount, (at + 1) * blockCount), i * blockCount);
  });
  return Buffer.from(print).toString('base64');
}

function findNearestFrame(times: Float64Array, time_s: number): number {
  let at = 0;
  for (let i = 1; i < times.length; i++)
    if (Math.abs(times[i] - time_s) < Math.abs(times[at] - time_s)) at = i;
  return at;
}

/**
 * Returns `true` if the pictures of all common cameras of two episodes are alike, `false` if any differs, `null` if
 * they have no camera in common. Alike are cameras whose first or last frames are alike (so that a copy cut at the
 * other end counts) and in which no block differs in all frames (as with another table).
 */
export function picturesAgree(a: PicturePrints | null, b: PicturePrints | null): boolean | null {
  if (a === null || b === null) return null;
  const common = Object.keys(a).filter((camera) => b[camera] !== undefined);
  if (common.length === 0) return null;
  return common.every((camera) => printsAgree(decodePrint(a[camera]), decodePrint(b[camera])));
}

const decodePrint = (print: string) => Buffer.from(print, 'base64');

function printsAgree(a: Uint8Array, b: Uint8Array): boolean {
  const counts = sampleFractions.map(() => 0);
  let everywhere = 0;
  for (let block = 0; block < blockCount; block++) {
    let minDifference = 255;
    sampleFractions.forEach((_, i) => {
      const levelDifference = Math.abs(a[i * blockCount + block] - b[i * blockCount + block]);
      if (levelDifference > maxLevelDifference) counts[i]++;
      minDifference = Math.min(minDifference, levelDifference);
    });
    if (minDifference > maxLevelDifference) everywhere++;
  }
  return everywhere === 0 && Math.min(counts[0], counts[sampleFractions.length - 1]) <= maxMovingBlocks;
}

/** Transformation of a picture relative to an earlier one. */
export type Turn = 'mirrored' | 'turned';

/** A mirrored or rotated copy of an earlier picture; `of` is the earlier index. */
export interface TurnedCopy {
  readonly of: number;
  readonly turn: Turn;
  /** Mean difference of the blocks after undoing the transformation, in levels of 255. */
  readonly difference: number;
}

/**
 * Maximum mean difference of the blocks of a copy, in levels; encoding causes less. No block may differ by
 * more than `maxBlockDifference`.
 */
const maxMeanDifference = 3;
/**
 * Maximum difference of one block, in levels: two drawings on white differ little on average, but much where
 * something is drawn.
 */
const maxBlockDifference = 12;
/** Minimum range of levels in a grid; a more uniform picture looks the same in every orientation. */
const minLevelRange = 10;
const maxBucketSize = 256;
const bandCount = 4;
const bandRows = gridSide / bandCount;
const lastIndex = gridSide - 1;

/**
 * Finds pictures that equal an earlier one once mirrored or rotated by quarter turns, by index with the most similar
 * original. Each grid holds block means; an empty or uniform grid is skipped. Only grids that share a quarter of
 * their gradient signs are compared, so that time grows linearly with the number of pictures.
 */
export function findTurnedPictures(grids: readonly (readonly number[])[]): Map<number, TurnedCopy> {
  const found = new Map<number, TurnedCopy>();
  const buckets = new Map<number, number[]>();
  grids.forEach((grid, i) => {
    if (isUniform(grid)) return;
    const upright = bandKeys(grid);
    for (const { turn, from } of transforms) {
      const turned = from.map((at) => grid[at]);
      for (const key of bandKeys(turned)) {
        for (const of of buckets.get(key) ?? []) {
          const difference = computeDifference(turned, grids[of]);
          if (difference <= (found.get(i)?.difference ?? maxMeanDifference))
            found.set(i, { of, turn, difference });
        }
      }
    }
    for (const key of upright) {
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [i]);
      else if (bucket.length < maxBucketSize) bucket.push(i);
    }
  });
  return found;
}

/** Source block of each block of a grid, for the seven mirrored or rotated orientations. */
const transforms: readonly { readonly turn: Turn; readonly from: readonly number[] }[] = [
  createTransform('mirrored', (row, column) => [row, lastIndex - column]),
  createTransform('mirrored', (row, column) => [lastIndex - row, column]),
  createTransform('mirrored', (row, column) => [column, row]),
  createTransform('mirrored', (row, column) => [lastIndex - column, lastIndex - row]),
  createTransform('turned', (row, column) => [lastIndex - row, lastIndex - column]),
  createTransform('turned', (row, column) => [lastIndex - column, row]),
  createTransform('turned', (row, column) => [column, lastIndex - row]),
];

function createTransform(
  turn: Turn,
  source: (row: number, column: number) => readonly [row: number, column: number],
) {
  const from = Array.from({ length: gridSide * gridSide }, (_, at) => {
    const [row, column] = source(Math.floor(at / gridSide), at % gridSide);
    return row * gridSide + column;
  });
  return { turn, from };
}

/** Computes a key per band of two rows: one bit for each step to a brighter block on the right. */
function bandKeys(grid: readonly number[]): number[] {
  return Array.from({ length: bandCount }, (_, band) => {
    let key = band;
    for (let row = band * bandRows; row < (band + 1) * bandRows; row++) {
      for (let column = 0; column < lastIndex; column++) {
        const at = row * gridSide + column;
        key = (key << 1) | (grid[at + 1] > grid[at] ? 1 : 0);
      }
    }
    return key;
  });
}

/** Returns `true` for a grid that is empty or has almost one level. */
function isUniform(grid: readonly number[]): boolean {
  return grid.length === 0 || Math.max(...grid) - Math.min(...grid) < minLevelRange;
}

/** Computes the mean block difference; infinite if one block differs by more than `maxBlockDifference`. */
function computeDifference(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) {
    const blockDifference = Math.abs(one[at] - other[at]);
    if (blockDifference > maxBlockDifference) return Infinity;
    sum += blockDifference;
  }
  return sum / one.length;
}
