/** Of each dimension: its mean, and its standard deviation; 0: the dimension does not vary. */
export interface Scale {
  readonly means: Float64Array;
  readonly deviations: Float64Array;
}

/** A dimension that varies by less holds rounding, not difference. */
const leastDeviation = 1e-6;
/** Standard deviations from the mean at most: numbers stay finite in 32 bits. */
const farthest = 1e6;

/** Of row-major values, `dims` a row. */
export function scaleOf(values: Float32Array, dims: number): Scale {
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
    if (deviation > leastDeviation * Math.max(1, Math.abs(mean))) deviations[d] = deviation;
  }
  return { means, deviations };
}

/** Brings row-major values to mean 0 and variance 1 by `scale`, in place; what does not vary becomes 0. */
export function standardise(values: Float32Array, { means, deviations }: Scale): void {
  const dims = means.length;
  for (let i = 0; i < values.length; i++) {
    const d = i % dims;
    const value = deviations[d] === 0 ? 0 : (values[i] - means[d]) / deviations[d];
    values[i] = Math.max(-farthest, Math.min(farthest, value));
  }
}

/** As `standardise` by the values' own scale, and by √dims: squared distances do not grow with the number of dimensions. */
export function standardisePoints(values: Float32Array, dims: number): void {
  const { means, deviations } = scaleOf(values, dims);
  standardise(values, { means, deviations: deviations.map((deviation) => deviation * Math.sqrt(dims)) });
}

/** The rows at some places of row-major values, one after the other. */
export function rowsAt(values: Float32Array, dims: number, places: readonly number[]): Float32Array {
  const rows = new Float32Array(places.length * dims);
  for (const [i, place] of places.entries())
    rows.set(values.subarray(place * dims, (place + 1) * dims), i * dims);
  return rows;
}
