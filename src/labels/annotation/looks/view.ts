import type { Picture } from '../pictures/placement.ts';
import { type Grey, greyOf } from './grey.ts';

/** A frame as far as it is compared with the next one. */
export interface View {
  readonly grey: Grey;
  readonly colours: Float64Array;
}

/** Px of the picture that become one, each way. */
const step = 4;

export const viewOf = (picture: Picture): View => ({
  grey: greyOf(picture, step),
  colours: coloursOf(picture),
});

/** From where colours differ so much that another scene is shown, if what is seen is not found again either. */
const cut = { colours: 0.4, left: 12, agreeing: 0.5 } as const;

/** What happened from one frame of a camera to the next. */
export interface Change {
  readonly shift: Shift;
  /** Another scene. */
  readonly isCut: boolean;
}

/** Null: frames of different sizes. */
export function changeBetween(from: View, to: View): Change | null {
  if (from.grey.width !== to.grey.width || from.grey.height !== to.grey.height) return null;
  const shift = shiftBetween(from.grey, to.grey);
  const isNew = shift.blocks === 0 || (shift.left > cut.left && shift.agreeing < cut.agreeing);
  return { shift, isCut: isNew && colourDistance(from.colours, to.colours) > cut.colours };
}

/** Levels of each of red, green and blue that are told apart. */
const levels = 4;

/** Shares of the pixels by colour, coarsely. */
function coloursOf({ rgb }: Pick<Picture, 'rgb'>): Float64Array {
  const shares = new Float64Array(levels ** 3);
  const pixels = rgb.length / 3;
  for (let at = 0; at < rgb.length; at += 3)
    shares[((rgb[at] >> 6) * levels + (rgb[at + 1] >> 6)) * levels + (rgb[at + 2] >> 6)] += 1 / pixels;
  return shares;
}

/** Share of the pixels whose colour the other picture has no place for: 0 to 1. */
function colourDistance(a: Float64Array, b: Float64Array): number {
  let common = 0;
  for (let at = 0; at < a.length; at++) common += Math.min(a[at], b[at]);
  return Math.max(0, 1 - common);
}

/** How the picture as a whole moved from one frame to the next. */
interface Shift {
  /** Blocks that can be told from their surroundings; without any nothing is known. */
  readonly blocks: number;
  /** Most common displacement, as a share of the picture's width. */
  readonly x: number;
  readonly y: number;
  /** Share of the blocks that moved so, to `near` px. */
  readonly agreeing: number;
  /** Mean difference that is left between blocks and where they went, in levels. */
  readonly left: number;
}

/** Blocks of so many px, as many each way, looked for so far away. */
const block = { side: 8, across: 6, down: 5, reach: 8 } as const;
/** Standard deviation of a block's levels from which on it is told from its surroundings. */
const leastTexture = 5;
const near = 1.5;

/** Displacement of the whole picture by block matching: the median of where textured blocks are found again. */
function shiftBetween(from: Grey, to: Grey): Shift {
  const found = blocksOf(from).flatMap((place) => matchOf(from, to, place) ?? []);
  if (found.length === 0) return { blocks: 0, x: 0, y: 0, agreeing: 0, left: 0 };
  const x = medianOf(found.map((one) => one.dx));
  const y = medianOf(found.map((one) => one.dy));
  const agreeing = found.filter(({ dx, dy }) => Math.hypot(dx - x, dy - y) <= near).length / found.length;
  const left = found.reduce((sum, one) => sum + one.left, 0) / found.length;
  return { blocks: found.length, x: x / from.width, y: y / from.width, agreeing, left };
}

type Place = readonly [x: number, y: number];

/** Corners of blocks, evenly over the picture. */
function blocksOf({ width, height }: Grey): Place[] {
  if (width < block.side || height < block.side) return [];
  const even = (count: number, size: number) =>
    Array.from({ length: count }, (_, at) => Math.round((at * (size - block.side)) / (count - 1)));
  return even(block.down, height).flatMap((y) => even(block.across, width).map((x) => [x, y] as const));
}

interface Match {
  readonly dx: number;
  readonly dy: number;
  readonly left: number;
}

/** Where a block is found again, the nearest of equals; null: it has no texture. */
function matchOf(from: Grey, to: Grey, [x, y]: Place): Match | null {
  if (textureOf(from, x, y) < leastTexture) return null;
  let best: Match = { dx: 0, dy: 0, left: differenceOf(from, to, x, y, 0, 0, Number.POSITIVE_INFINITY) };
  for (let dy = -block.reach; dy <= block.reach; dy++)
    for (let dx = -block.reach; dx <= block.reach; dx++) {
      const inside =
        x + dx >= 0 && y + dy >= 0 && x + dx + block.side <= to.width && y + dy + block.side <= to.height;
      if (!inside) continue;
      const left = differenceOf(from, to, x, y, dx, dy, best.left);
      const isNearer = Math.hypot(dx, dy) < Math.hypot(best.dx, best.dy);
      if (left < best.left || (left === best.left && isNearer)) best = { dx, dy, left };
    }
  return best;
}

function textureOf({ width, values }: Grey, x: number, y: number): number {
  let [sum, squares] = [0, 0];
  for (let v = 0; v < block.side; v++)
    for (let u = 0; u < block.side; u++) {
      const value = values[(y + v) * width + x + u];
      sum += value;
      squares += value * value;
    }
  const count = block.side ** 2;
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}

/** Mean absolute difference; anything above `most` where it is above that. */
function differenceOf(
  from: Grey,
  to: Grey,
  x: number,
  y: number,
  dx: number,
  dy: number,
  most: number,
): number {
  const limit = most * block.side ** 2;
  let sum = 0;
  for (let v = 0; v < block.side; v++) {
    const a = (y + v) * from.width + x;
    const b = (y + dy + v) * to.width + x + dx;
    for (let u = 0; u < block.side; u++) sum += Math.abs(from.values[a + u] - to.values[b + u]);
    if (sum > limit) return Number.POSITIVE_INFINITY;
  }
  return sum / block.side ** 2;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
