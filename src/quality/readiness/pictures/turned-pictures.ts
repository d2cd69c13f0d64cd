import { gridSide } from '#core/episode';

/** How a picture lies beside an earlier one. */
export type Turn = 'mirrored' | 'turned';

export interface TurnedCopy {
  readonly of: number;
  readonly turn: Turn;
  /** Mean difference of the blocks once turned back, in levels of 255. */
  readonly difference: number;
}

/** Blocks of a copy differ by what coding changes: by this at most on the mean, and none by more than `mostOfBlock`. */
const most = 3;
/** Two drawings on white differ little on the mean, and much where something is drawn. */
const mostOfBlock = 12;
/** A grid that spreads over so few levels is a plain picture: it looks alike however it lies. */
const plainest = 10;
const longestBucket = 256;
const bands = 4;
const bandRows = gridSide / bands;
const last = gridSide - 1;

/**
 * For every grid of block means that is an earlier one mirrored or turned by quarters: that one. Compared are grids with a
 * quarter of their gradients in common, so that the time grows with the number of pictures.
 */
export function findTurnedPictures(grids: readonly (readonly number[])[]): Map<number, TurnedCopy> {
  const found = new Map<number, TurnedCopy>();
  const buckets = new Map<number, number[]>();
  grids.forEach((grid, i) => {
    if (isPlain(grid)) return;
    const upright = bandKeys(grid);
    for (const { turn, from } of turns) {
      const turned = from.map((at) => grid[at]);
      for (const key of bandKeys(turned)) {
        for (const of of buckets.get(key) ?? []) {
          const difference = differenceOf(turned, grids[of]);
          if (difference <= (found.get(i)?.difference ?? most)) found.set(i, { of, turn, difference });
        }
      }
    }
    for (const key of upright) {
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [i]);
      else if (bucket.length < longestBucket) bucket.push(i);
    }
  });
  return found;
}

/** Where each block of a grid comes from, for the seven ways in which a picture can lie but upright. */
const turns: readonly { readonly turn: Turn; readonly from: readonly number[] }[] = [
  lie('mirrored', (row, column) => [row, last - column]),
  lie('mirrored', (row, column) => [last - row, column]),
  lie('mirrored', (row, column) => [column, row]),
  lie('mirrored', (row, column) => [last - column, last - row]),
  lie('turned', (row, column) => [last - row, last - column]),
  lie('turned', (row, column) => [last - column, row]),
  lie('turned', (row, column) => [column, last - row]),
];

function lie(turn: Turn, source: (row: number, column: number) => readonly [row: number, column: number]) {
  const from = Array.from({ length: gridSide * gridSide }, (_, at) => {
    const [row, column] = source(Math.floor(at / gridSide), at % gridSide);
    return row * gridSide + column;
  });
  return { turn, from };
}

/** One bit for each step to a brighter block on the right; a key for each two rows. */
function bandKeys(grid: readonly number[]): number[] {
  return Array.from({ length: bands }, (_, band) => {
    let key = band;
    for (let row = band * bandRows; row < (band + 1) * bandRows; row++) {
      for (let column = 0; column < last; column++) {
        const at = row * gridSide + column;
        key = (key << 1) | (grid[at + 1] > grid[at] ? 1 : 0);
      }
    }
    return key;
  });
}

/** So is one that is not known. */
function isPlain(grid: readonly number[]): boolean {
  return grid.length === 0 || Math.max(...grid) - Math.min(...grid) < plainest;
}

/** On the mean of the blocks; infinite where one of them shows something else. */
function differenceOf(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) {
    const apart = Math.abs(one[at] - other[at]);
    if (apart > mostOfBlock) return Infinity;
    sum += apart;
  }
  return sum / one.length;
}
