import type { StreamStatistics } from '#core/episode';

/** The first statistic that is not that of the rows. */
export interface Disagreement {
  readonly statistic: 'count' | 'min' | 'max' | 'mean' | 'std' | 'dimensions';
  /** −1 where it is not of one dimension. */
  readonly dimension: number;
  readonly declared: number;
  readonly found: number;
}

/** Half a unit in the last place of float32, relative. */
const unit = 2 ** -24;

/**
 * Declared statistics of one feature against its rows, in one walk. Exact, but for what the writers' float32 leaves:
 * min and max may be rounded twice; a sum of n numbers, added one after the other, is off by at most n units of the
 * magnitude of its terms, so mean by n · u · rms, and mean(x²) − mean(x)², as LeRobot 0.4.4 computes the variance, by
 * 3 · n · u · rms². std of a sample (n − 1) counts as well. Null where they agree, or where a value is not finite.
 */
export function disagreement(
  values: Float32Array | Float64Array,
  dims: number,
  declared: StreamStatistics,
): Disagreement | null {
  const rows = dims === 0 ? 0 : Math.floor(values.length / dims);
  if (rows === 0) return null;
  const { min, max, mean, std, count } = declared;
  if (count !== null && count !== rows)
    return { statistic: 'count', dimension: -1, declared: count, found: rows };
  for (const list of [min, max, mean, std])
    if (list !== null && list.length !== dims)
      return { statistic: 'dimensions', dimension: -1, declared: list.length, found: dims };
  for (let dim = 0; dim < dims; dim++) {
    let low = values[dim];
    let high = low;
    let sum = 0;
    let squares = 0;
    for (let at = dim; at < values.length; at += dims) {
      const value = values[at];
      if (value < low) low = value;
      else if (value > high) high = value;
      sum += value;
      squares += value * value;
    }
    if (!Number.isFinite(squares)) return null;
    const off = offIn({ rows, low, high, sum, squares }, dim, declared);
    if (off !== null) return off;
  }
  return null;
}

interface Moments {
  readonly rows: number;
  readonly low: number;
  readonly high: number;
  readonly sum: number;
  readonly squares: number;
}

function offIn(
  { rows, low, high, sum, squares }: Moments,
  dimension: number,
  { min, max, mean, std }: StreamStatistics,
): Disagreement | null {
  if (min !== null && differs(min[dimension], low, 4 * unit * Math.abs(low)))
    return { statistic: 'min', dimension, declared: min[dimension], found: low };
  if (max !== null && differs(max[dimension], high, 4 * unit * Math.abs(high)))
    return { statistic: 'max', dimension, declared: max[dimension], found: high };
  const found = sum / rows;
  const square = squares / rows;
  const rounding = (rows + 8) * unit;
  if (mean !== null && differs(mean[dimension], found, rounding * Math.sqrt(square)))
    return { statistic: 'mean', dimension, declared: mean[dimension], found };
  if (std === null) return null;
  const variance = Math.max(0, square - found * found);
  const own = std[dimension] ** 2;
  const slack = 3 * rounding * square;
  if (!differs(own, variance, slack) || !differs(own, (variance * rows) / Math.max(1, rows - 1), slack))
    return null;
  return { statistic: 'std', dimension, declared: std[dimension], found: Math.sqrt(variance) };
}

/** NaN differs from everything. */
function differs(declared: number, found: number, slack: number): boolean {
  return !(Math.abs(declared - found) <= slack + Number.MIN_VALUE);
}
