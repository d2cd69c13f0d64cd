/** Median of the values; NaN for none. The input is not changed. */
export function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  if (n === 0) return Number.NaN;
  return n % 2 === 1 ? sorted[n >> 1] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/** Standard deviation as the median absolute deviation gives it (times 1.4826): outliers do not widen it. */
export function spreadOf(values: ArrayLike<number>, median = medianOf(values)): number {
  const deviations = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) deviations[i] = Math.abs(values[i] - median);
  return 1.4826 * medianOf(deviations);
}

/** Column `index` of rows that are all at least that long. */
export function columnOf(rows: readonly (readonly number[])[], index: number): Float64Array {
  const column = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) column[i] = rows[i][index];
  return column;
}
