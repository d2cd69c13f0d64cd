/** LeRobot's statistics of a numeric feature: one value per dimension; `count` is the number of rows. */
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

/** Statistics of a camera: values from 0 to 1, shaped (3, 1, 1); `count` is the number of sampled pictures. */
export type CameraStatistics = { readonly [Key in Exclude<keyof Statistics, 'count'>]: PerChannel } & {
  readonly count: readonly number[];
};

const quantileLevels = { q01: 0.01, q10: 0.1, q50: 0.5, q90: 0.9, q99: 0.99 } as const;

/**
 * Computes min, max, mean, std, row count and quantiles per dimension of row-major values, without non-finite ones,
 * which count as rows.
 */
export function computeSeriesStatistics(values: Float32Array | Float64Array, dims: number): Statistics {
  return computeStatistics([values], dims);
}

/**
 * Computes min, max, mean, std, row count and quantiles per dimension of all row-major parts together, without
 * non-finite values, which count as rows. JSON cannot represent these.
 */
export function computeStatistics(parts: readonly (Float32Array | Float64Array)[], dims: number): Statistics {
  const columns = Array.from({ length: dims }, (_, dim) => sortFiniteColumn(parts, dims, dim));
  const rows = parts.reduce((sum, part) => sum + part.length / dims, 0);
  const at = (share: number) => columns.map((column) => computeQuantile(column, share));
  return {
    min: at(0),
    max: at(1),
    mean: columns.map(computeMean),
    std: columns.map(computeStd),
    count: [rows],
    q01: at(quantileLevels.q01),
    q10: at(quantileLevels.q10),
    q50: at(quantileLevels.q50),
    q90: at(quantileLevels.q90),
    q99: at(quantileLevels.q99),
  };
}

/**
 * Computes min, max, mean, std and quantiles per channel on the scale 0 to 1 from red, green and blue values (0–255) of
 * sampled pictures; `count` is `pictures`.
 */
export function computeCameraStatistics(
  channels: readonly Float64Array[],
  pictures: number,
): CameraStatistics {
  const scaled = channels.map((channel) => channel.map((value) => value / 255).sort());
  const nested = (of: (column: Float64Array) => number): PerChannel => scaled.map((column) => [[of(column)]]);
  return {
    min: nested((column) => computeQuantile(column, 0)),
    max: nested((column) => computeQuantile(column, 1)),
    mean: nested(computeMean),
    std: nested(computeStd),
    count: [pictures],
    q01: nested((column) => computeQuantile(column, quantileLevels.q01)),
    q10: nested((column) => computeQuantile(column, quantileLevels.q10)),
    q50: nested((column) => computeQuantile(column, quantileLevels.q50)),
    q90: nested((column) => computeQuantile(column, quantileLevels.q90)),
    q99: nested((column) => computeQuantile(column, quantileLevels.q99)),
  };
}

/** Returns the sorted finite values of one dimension. */
function sortFiniteColumn(
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

/** Returns a quantile of a sorted array by linear interpolation. */
function computeQuantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

function computeMean(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function computeStd(values: Float64Array): number {
  const mean = computeMean(values);
  let sum = 0;
  for (const value of values) sum += (value - mean) ** 2;
  return Math.sqrt(sum / values.length);
}

/** Statistics of one feature by name; values are nested like the feature's shape. */
export type FeatureStatistics = Readonly<Record<string, unknown>>;

type Nested = number | readonly Nested[];

/**
 * Pools episode statistics into those of the set, like LeRobot's `aggregate_feature_stats`: count-weighted means,
 * variances including the spread of the means, quantiles as weighted means. Statistics that an episode lacks are left
 * out. Holds one entry per feature.
 */
export class StatisticsPool {
  readonly #features = new Map<string, FeaturePool>();

  /** Adds the statistics of an episode by feature; features with a count of 0 or none are skipped. */
  add(statistics: Readonly<Record<string, FeatureStatistics>>): void {
    for (const [feature, own] of Object.entries(statistics)) {
      if (!Array.isArray(own.count) || !(Number(own.count[0]) > 0)) continue;
      const pool = this.#features.get(feature);
      if (pool === undefined) this.#features.set(feature, new FeaturePool(own));
      else pool.add(own);
    }
  }

  /** Returns the pooled statistics by feature. */
  result(): Record<string, FeatureStatistics> {
    return Object.fromEntries([...this.#features].map(([feature, pool]) => [feature, pool.result()]));
  }
}

const statisticOrder = ['min', 'max', 'mean', 'std', 'count'];

/** Pools the statistics of one feature. */
class FeaturePool {
  #count: number;
  readonly #names: Set<string>;
  readonly #values: Map<string, Nested>;

  constructor(first: FeatureStatistics) {
    this.#count = countOf(first);
    this.#names = new Set(Object.keys(first).filter((name) => hasStatistic(first, name)));
    this.#values = new Map([...this.#names].map((name) => [name, numbersOf(first, name)]));
    // std is stored as variance.
    if (this.#names.has('std'))
      this.#values.set(
        'std',
        mapNested(this.#get('std'), (value) => value ** 2),
      );
  }

  add(own: FeatureStatistics): void {
    for (const name of this.#names) if (!hasStatistic(own, name)) this.#names.delete(name);
    const [before, more] = [this.#count, countOf(own)];
    const total = before + more;
    const weighted = (a: number, b: number) => a + ((b - a) * more) / total;
    if (this.#names.has('mean') && this.#names.has('std')) {
      const apart = zipNested(this.#get('mean'), numbersOf(own, 'mean'), (a, b) => (b - a) ** 2);
      const within = zipNested(this.#get('std'), numbersOf(own, 'std'), (a, b) => weighted(a, b ** 2));
      this.#values.set(
        'std',
        zipNested(within, apart, (a, b) => a + (b * before * more) / total ** 2),
      );
    }
    for (const name of this.#names) {
      const value = numbersOf(own, name);
      if (name === 'min') this.#values.set(name, zipNested(this.#get(name), value, Math.min));
      else if (name === 'max') this.#values.set(name, zipNested(this.#get(name), value, Math.max));
      else if (name === 'mean' || /^q\d+$/.test(name))
        this.#values.set(name, zipNested(this.#get(name), value, weighted));
    }
    this.#count = total;
  }

  result(): FeatureStatistics {
    const out: Record<string, unknown> = {};
    const quantiles = [...this.#names].filter((name) => /^q\d+$/.test(name));
    for (const name of [...statisticOrder, ...quantiles]) {
      if (name === 'count') out.count = [this.#count];
      else if (name === 'std' && this.#names.has('mean') && this.#names.has('std'))
        out.std = mapNested(this.#get('std'), Math.sqrt);
      else if (name !== 'std' && this.#names.has(name)) out[name] = this.#get(name);
    }
    return out;
  }

  #get(name: string): Nested {
    return this.#values.get(name) ?? [];
  }
}

const countOf = ({ count }: FeatureStatistics): number => Number((count as readonly unknown[])[0]);
const hasStatistic = (own: FeatureStatistics, name: string) => own[name] !== undefined && own[name] !== null;
const numbersOf = (own: FeatureStatistics, name: string) => own[name] as Nested;

/** Maps all numbers of a nested list. */
function mapNested(value: Nested, to: (value: number) => number): Nested {
  return typeof value === 'number' ? to(value) : value.map((part) => mapNested(part, to));
}

/** Combines two nested lists of equal shape. */
function zipNested(a: Nested, b: Nested, to: (a: number, b: number) => number): Nested {
  if (typeof a === 'number') return to(a, b as number);
  return a.map((part, place) => zipNested(part, (b as readonly Nested[])[place], to));
}
