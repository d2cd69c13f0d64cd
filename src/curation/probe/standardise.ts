/** Mean and scale of each dimension; a scale of 0: the dimension does not vary. */
export interface Scale {
  readonly means: Float64Array;
  /** One over the standard deviation. */
  readonly scales: Float64Array;
}

/** A dimension that varies by less holds rounding, not difference. */
const leastDeviation = 1e-6;
/** Standard deviations from the mean at most: numbers stay finite in 32 bits. */
const farthest = 1e6;

/** Of the given rows of row-major values. */
export function scaleOf(values: Float32Array, dims: number, rows: readonly number[]): Scale {
  const means = new Float64Array(dims);
  const scales = new Float64Array(dims);
  for (const row of rows) for (let d = 0; d < dims; d++) means[d] += values[row * dims + d] / rows.length;
  for (const row of rows)
    for (let d = 0; d < dims; d++) scales[d] += (values[row * dims + d] - means[d]) ** 2 / rows.length;
  for (let d = 0; d < dims; d++) {
    const deviation = Math.sqrt(scales[d]);
    scales[d] = deviation > leastDeviation * Math.max(1, Math.abs(means[d])) ? 1 / deviation : 0;
  }
  return { means, scales };
}

/** The rows, one after the other, with mean 0 and variance 1 by `scale`. */
export function standardised(
  values: Float32Array,
  dims: number,
  rows: readonly number[],
  { means, scales }: Scale,
): Float32Array {
  const points = new Float32Array(rows.length * dims);
  for (const [i, row] of rows.entries())
    for (let d = 0; d < dims; d++) {
      const value = (values[row * dims + d] - means[d]) * scales[d];
      points[i * dims + d] = Math.max(-farthest, Math.min(farthest, value));
    }
  return points;
}
