/** Mean and standard deviation of each dimension; a deviation of 0 means that the dimension does not vary. */
export interface Scale {
  readonly means: Float64Array;
  readonly deviations: Float64Array;
}

/** Relative deviation below which variation is rounding error. */
const minDeviation = 1e-6;
/** Largest standard score, so that 32-bit floats stay finite. */
const maxStandardScore = 1e6;

/** Computes mean and deviation per dimension of row-major values, `dims` per row. */
export function computeScale(values: Float32Array, dims: number): Scale {
  const means = new Float64Array(dims);
  const deviations = new Float64Array(dims);
  const rows = values.length / dims;
  for (let d = 0; d < dims; d++) {
    let sum = 0;
    for (let i = d; i < values.length; i += dims) sum += values[i];
    const mean = sum / rows;
    let squares = 0;
    for (let i = d; i < values.length; i += dims) squares += (values[i] - mean) ** 2;
    const deviation = Math.sqrt(squares / rows);
    means[d] = mean;
    if (deviation > minDeviation * Math.max(1, Math.abs(mean))) deviations[d] = deviation;
  }
  return { means, deviations };
}

/** Standardises row-major values in place to mean 0 and variance 1; dimensions that do not vary become 0. */
export function standardise(values: Float32Array, { means, deviations }: Scale): void {
  const dims = means.length;
  for (let i = 0; i < values.length; i++) {
    const d = i % dims;
    const value = deviations[d] === 0 ? 0 : (values[i] - means[d]) / deviations[d];
    values[i] = Math.max(-maxStandardScore, Math.min(maxStandardScore, value));
  }
}

/** Standardises by the values' own scale and divides by √dims, so that distances do not grow with `dims`. */
export function standardisePoints(values: Float32Array, dims: number): void {
  const { means, deviations } = computeScale(values, dims);
  standardise(values, { means, deviations: deviations.map((deviation) => deviation * Math.sqrt(dims)) });
}

/** Copies the rows at these indices of row-major values into one array. */
export function rowsAt(values: Float32Array, dims: number, places: readonly number[]): Float32Array {
  const rows = new Float32Array(places.length * dims);
  for (const [i, index] of places.entries())
    rows.set(values.subarray(index * dims, (index + 1) * dims), i * dims);
  return rows;
}
