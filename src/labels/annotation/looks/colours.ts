import type { Picture } from '../pictures/placement.ts';

/** Levels of each of red, green and blue that are told apart. */
const levels = 4;

/** Shares of the pixels by colour, coarsely. */
export function coloursOf({ rgb }: Pick<Picture, 'rgb'>): Float64Array {
  const shares = new Float64Array(levels ** 3);
  const pixels = rgb.length / 3;
  for (let at = 0; at < rgb.length; at += 3)
    shares[((rgb[at] >> 6) * levels + (rgb[at + 1] >> 6)) * levels + (rgb[at + 2] >> 6)] += 1 / pixels;
  return shares;
}

/** Share of the pixels whose colour the other picture has no place for: 0 to 1. */
export function colourDistance(a: Float64Array, b: Float64Array): number {
  let common = 0;
  for (let at = 0; at < a.length; at++) common += Math.min(a[at], b[at]);
  return Math.max(0, 1 - common);
}
