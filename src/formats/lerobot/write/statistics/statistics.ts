/** The table LeRobot keeps of a numeric feature: one entry a dimension; `count` is the number of rows. */
export interface Statistics {
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly mean: readonly number[];
  readonly std: readonly number[];
  readonly count: readonly number[];
  readonly q01: readonly number[];
  readonly q10: readonly number[];
  readonly q50: readonly number[];
  readonly q90: readonly number[];
  readonly q99: readonly number[];
}

type PerChannel = readonly (readonly (readonly number[])[])[];

/** The same of a camera: values of 0..1, shaped (3, 1, 1), `count` the number of pictures looked at. */
export type CameraStatistics = { readonly [Key in Exclude<keyof Statistics, 'count'>]: PerChannel } & {
  readonly count: readonly number[];
};

const quantiles = { q01: 0.01, q10: 0.1, q50: 0.5, q90: 0.9, q99: 0.99 } as const;

export function seriesStatistics(values: Float32Array | Float64Array, dims: number): Statistics {
  return poolStatistics([values], dims);
}

/** Of all rows of all parts together. Values that are not finite are left out, as JSON cannot carry them. */
export function poolStatistics(parts: readonly (Float32Array | Float64Array)[], dims: number): Statistics {
  const columns = Array.from({ length: dims }, (_, dim) => finiteColumn(parts, dims, dim));
  const rows = parts.reduce((sum, part) => sum + part.length / dims, 0);
  const at = (share: number) => columns.map((column) => quantileOf(column, share));
  return {
    min: at(0),
    max: at(1),
    mean: columns.map(meanOf),
    std: columns.map(deviationOf),
    count: [rows],
    q01: at(quantiles.q01),
    q10: at(quantiles.q10),
    q50: at(quantiles.q50),
    q90: at(quantiles.q90),
    q99: at(quantiles.q99),
  };
}

/** Statistics of a camera from red, green and blue values (0..255) of a sample of its pictures. */
export function cameraStatistics(channels: readonly Float64Array[], pictures: number): CameraStatistics {
  const scaled = channels.map((channel) => channel.map((value) => value / 255).sort());
  const nested = (of: (column: Float64Array) => number): PerChannel => scaled.map((column) => [[of(column)]]);
  return {
    min: nested((column) => quantileOf(column, 0)),
    max: nested((column) => quantileOf(column, 1)),
    mean: nested(meanOf),
    std: nested(deviationOf),
    count: [pictures],
    q01: nested((column) => quantileOf(column, quantiles.q01)),
    q10: nested((column) => quantileOf(column, quantiles.q10)),
    q50: nested((column) => quantileOf(column, quantiles.q50)),
    q90: nested((column) => quantileOf(column, quantiles.q90)),
    q99: nested((column) => quantileOf(column, quantiles.q99)),
  };
}

/** Sorted finite values of one dimension. */
function finiteColumn(
  parts: readonly (Float32Array | Float64Array)[],
  dims: number,
  dim: number,
): Float64Array {
  const out = new Float64Array(parts.reduce((sum, part) => sum + part.length / dims, 0));
  let count = 0;
  for (const part of parts) {
    for (let i = dim; i < part.length; i += dims) if (Number.isFinite(part[i])) out[count++] = part[i];
  }
  return out.subarray(0, count).sort();
}

/** Linear between neighbours, of a sorted array. */
function quantileOf(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function deviationOf(values: Float64Array): number {
  const mean = meanOf(values);
  let sum = 0;
  for (const value of values) sum += (value - mean) ** 2;
  return Math.sqrt(sum / values.length);
}
