import type { Stream } from '#core/episode';

const parts = 4;
const tolerance = 0.05;

/**
 * Whether the step into `row` belongs to a unit quaternion that goes over to its negative: q and −q are one
 * orientation. Told by the numbers: four dimensions on end of length 1, all of which change sign at once.
 */
export function isSignFlip(
  { series }: Stream,
  { row, dimension }: { readonly row: number; readonly dimension: number },
): boolean {
  const { values, dims } = series!;
  for (let from = Math.max(0, dimension - parts + 1); from <= dimension && from + parts <= dims; from++) {
    const before = (row - 1) * dims + from;
    const after = row * dims + from;
    let [here, there, sum] = [0, 0, 0];
    for (let k = 0; k < parts; k++) {
      here += values[before + k] ** 2;
      there += values[after + k] ** 2;
      sum += (values[before + k] + values[after + k]) ** 2;
    }
    if (Math.abs(here - 1) < tolerance && Math.abs(there - 1) < tolerance && sum < tolerance) return true;
  }
  return false;
}
