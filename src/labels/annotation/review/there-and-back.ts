/** So far off, as a share of its size, a thing has leapt where it is back at once. */
const leaps = 0.25;
/** Frames further apart do not tell what is between them. */
export const neighbours_s = 0.5;

type Place = readonly [x: number, y: number];

const distance = (a: Place, b: Place): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** How far the middle one of three places lies off the middle of the others, as a share of the size of what is there. */
export const offWay = ([before, now, after]: readonly [Place, Place, Place], size_px: number): number =>
  distance(now, [(before[0] + after[0]) / 2, (before[1] + after[1]) / 2]) / Math.max(size_px, 1);

/** It lies off the way of those around it, which are nearer to each other than it is to them: no motion looks so. */
export function isThereAndBack(places: readonly [Place, Place, Place], size_px: number): boolean {
  const off = offWay(places, size_px);
  return off > leaps && distance(places[0], places[2]) < (off * size_px) / 2;
}

/** The middle one of three amounts is several times as much or as little as those around it, which are alike. */
export function isOneOff([before, now, after]: readonly [number, number, number], times: number): boolean {
  const ratio = (a: number, b: number): number => Math.max(a, b) / Math.max(Math.min(a, b), 1e-9);
  return (
    ratio(before, after) <= Math.sqrt(times) && ratio(now, before) >= times && ratio(now, after) >= times
  );
}

/** The middle value, or the lower of two. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1];
}
