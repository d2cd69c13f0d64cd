import { compareStatistics } from '../../read/stats/compare-stats.ts';
import { flatNumbers, type StatisticsEntry } from '../draft.ts';

/** A difference between a statistics entry and the rows, with texts for the change list. */
export interface StatisticsFault {
  readonly kind: 'missing' | 'not_a_number' | 'std_zero' | 'quantiles' | 'quantiles_absent' | 'stale';
  readonly before: string;
  readonly after: string;
}

type StatisticLists = Readonly<Record<'min' | 'max' | 'mean' | 'std', readonly number[]>>;

/**
 * Returns the first fault of an episode's stored statistics, compared with its rows (row-major values); null if they
 * agree; a missing entry or count is a fault. `quantiles`: true if quantiles must be present and in order.
 */
export function compareWithRows(
  entry: StatisticsEntry | undefined,
  { dims, values }: { readonly dims: number; readonly values: Float64Array },
  quantiles: boolean,
): StatisticsFault | null {
  const lists = readLists(entry, dims);
  if (lists === null || entry === undefined) return { kind: 'missing', before: 'missing', after: 'computed' };
  const bad = findNonFinite(lists);
  if (bad !== null) return bad;
  const count = flatNumbers(entry.count)?.[0] ?? null;
  const off = compareStatistics(values, dims, { ...lists, count });
  if (off !== null) {
    const place = off.dimension < 0 ? '' : ` of dimension ${off.dimension}`;
    return {
      kind: off.statistic === 'std' && off.declared === 0 ? 'std_zero' : 'stale',
      before: `${off.statistic}${place} = ${formatNumber(off.declared)}`,
      after: formatNumber(off.found),
    };
  }
  return count === null
    ? { kind: 'missing', before: 'no count', after: 'computed' }
    : checkQuantiles(entry, lists, quantiles);
}

/** Accumulates minimum, maximum, mean and variance over all rows of a set. */
export class Moments {
  rows = 0;
  readonly low: number[] = [];
  readonly high: number[] = [];
  readonly #sum: number[] = [];
  readonly #squares: number[] = [];

  /** Adds rows (row-major values of `dims` each) to the totals. */
  add({ dims, values }: { readonly dims: number; readonly values: Float64Array }): void {
    for (let at = 0; at < values.length; at++) {
      const dim = at % dims;
      const value = values[at];
      this.low[dim] = Math.min(this.low[dim] ?? value, value);
      this.high[dim] = Math.max(this.high[dim] ?? value, value);
      this.#sum[dim] = (this.#sum[dim] ?? 0) + value;
      this.#squares[dim] = (this.#squares[dim] ?? 0) + value * value;
    }
    this.rows += values.length / dims;
  }

  /**
   * Returns the first fault of the set's entry, compared with the added rows with a tolerance for float32 sums; null if
   * they agree. `quantiles`: true if quantiles must be present and in order.
   */
  compare(entry: StatisticsEntry | undefined, quantiles: boolean): StatisticsFault | null {
    const dims = this.low.length;
    const lists = readLists(entry, dims);
    if (lists === null || entry === undefined)
      return { kind: 'missing', before: 'missing', after: 'computed from all episodes' };
    const bad = findNonFinite(lists);
    if (bad !== null) return bad;
    const count = flatNumbers(entry.count)?.[0] ?? null;
    if (count !== null && count !== this.rows)
      return { kind: 'stale', before: `count ${count}`, after: String(this.rows) };
    for (let dim = 0; dim < dims; dim++) {
      const off = this.#compareDimension(lists, dim);
      if (off !== null) return off;
    }
    return checkQuantiles(entry, lists, quantiles);
  }

  #compareDimension({ min, max, mean, std }: StatisticLists, dim: number): StatisticsFault | null {
    const found = this.#sum[dim] / this.rows;
    const square = this.#squares[dim] / this.rows;
    const rounding = (this.rows + 8) * float32Unit;
    const variance = Math.max(0, square - found * found);
    const slack = 3 * rounding * square;
    const stale = (name: string, before: number, after: number): StatisticsFault => ({
      kind: 'stale',
      before: `${name} of dimension ${dim} = ${formatNumber(before)}`,
      after: formatNumber(after),
    });
    if (differs(min[dim], this.low[dim], 4 * float32Unit * Math.abs(this.low[dim])))
      return stale('min', min[dim], this.low[dim]);
    if (differs(max[dim], this.high[dim], 4 * float32Unit * Math.abs(this.high[dim])))
      return stale('max', max[dim], this.high[dim]);
    if (differs(mean[dim], found, rounding * Math.sqrt(square))) return stale('mean', mean[dim], found);
    if (!differs(std[dim] ** 2, variance, slack)) return null;
    const wrong = stale('std', std[dim], Math.sqrt(variance));
    return std[dim] === 0 ? { ...wrong, kind: 'std_zero' } : wrong;
  }
}

/** Relative rounding error of float32: half a unit in the last place. */
const float32Unit = 2 ** -24;

function differs(declared: number, found: number, slack: number): boolean {
  return !(Math.abs(declared - found) <= slack + Number.MIN_VALUE);
}

/** Returns min, max, mean and std as lists; null if one is missing or has another dimension. */
function readLists(entry: StatisticsEntry | undefined, dims: number): StatisticLists | null {
  if (entry === undefined) return null;
  const lists: Record<string, readonly number[]> = {};
  for (const name of ['min', 'max', 'mean', 'std']) {
    const list = flatNumbers(entry[name]);
    if (list?.length !== dims) return null;
    lists[name] = list;
  }
  return lists as StatisticLists;
}

function findNonFinite(lists: StatisticLists): StatisticsFault | null {
  const bad = Object.entries(lists).find(([, list]) => !list.every(Number.isFinite));
  return bad === undefined
    ? null
    : { kind: 'not_a_number', before: `${bad[0]} is not a finite number`, after: 'computed' };
}

/**
 * Checks that quantiles rise with their level and lie between min and max, within the histogram's resolution.
 * `required`: quantiles must be there.
 */
function checkQuantiles(
  entry: StatisticsEntry,
  { min, max }: StatisticLists,
  required: boolean,
): StatisticsFault | null {
  const names = Object.keys(quantileLevels).filter((name) => name in entry);
  if (!required) return null;
  if (names.length === 0) return { kind: 'quantiles_absent', before: 'no quantiles', after: 'computed' };
  const steps = [min, ...names.map((name) => flatNumbers(entry[name]) ?? []), max];
  for (let at = 1; at < steps.length; at++) {
    for (let dim = 0; dim < min.length; dim++) {
      const slack = Math.abs(max[dim] - min[dim]) / 1000 + Math.abs(steps[at][dim]) * 2 ** -20 + 1e-8;
      if (steps[at - 1][dim] <= steps[at][dim] + slack) continue;
      const name = names[at - 1] ?? 'max';
      return {
        kind: 'quantiles',
        before: `${name} of dimension ${dim} = ${formatNumber(steps[at][dim])}`,
        after: 'computed',
      };
    }
  }
  return null;
}

function formatNumber(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** Number type that determines the library's arithmetic. */
export type NumberKind = 'float32' | 'float64' | 'integer';

const quantileLevels: Readonly<Record<string, number>> = {
  q01: 0.01,
  q10: 0.1,
  q50: 0.5,
  q90: 0.9,
  q99: 0.99,
};
const histogramBins = 5000;

/**
 * Computes min, max, mean, std and count of a feature like LeRobot 0.3.3 (get_feature_stats). `columns`: one per
 * dimension.
 */
export function computeEntryV2(columns: readonly Float64Array[], kind: NumberKind): StatisticsEntry {
  const round = kind === 'float32' ? Math.fround : (value: number) => value;
  const means = columns.map((column) => computeMean(column));
  return {
    min: columns.map(findMin),
    max: columns.map(findMax),
    mean: means.map(round),
    std: columns.map((column, dim) =>
      round(Math.sqrt(computeMean(column, (value) => (value - means[dim]) ** 2))),
    ),
    count: [columns[0].length],
  };
}

/**
 * Computes min, max, mean, std, count and quantiles of a feature like LeRobot 0.4.4 (RunningQuantileStats); quantiles
 * are read from a histogram of 5,000 bins. `columns`: one per dimension.
 */
export function computeEntryV3(columns: readonly Float64Array[], kind: NumberKind): StatisticsEntry {
  const round = kind === 'float32' ? Math.fround : (value: number) => value;
  const means = columns.map((column) => round(computeMean(column)));
  const plain = {
    min: columns.map(findMin),
    max: columns.map(findMax),
    mean: means,
    count: [columns[0].length],
  };
  const quantiles = Object.keys(quantileLevels);
  if (columns[0].length < 2) {
    const same = Object.fromEntries(quantiles.map((name) => [name, means]));
    return { ...plain, std: means.map(() => 0), ...same };
  }
  const squares = columns.map((column) => round(computeMean(column, (value) => round(value * value))));
  const histograms = columns.map(buildHistogram);
  const levels = quantiles.map((name) => [
    name,
    histograms.map((histogram) => computeQuantile(histogram, quantileLevels[name])),
  ]);
  return {
    ...plain,
    std: squares.map((square, dim) => Math.sqrt(Math.max(0, round(square - round(means[dim] ** 2))))),
    ...Object.fromEntries(levels),
  };
}

interface Histogram {
  readonly low: number;
  readonly width: number;
  readonly counts: Float64Array;
  readonly total: number;
}

function buildHistogram(column: Float64Array): Histogram {
  const low = findMin(column) - 1e-10;
  const width = (findMax(column) + 1e-10 - low) / histogramBins;
  const counts = new Float64Array(histogramBins);
  for (const value of column) counts[Math.min(histogramBins - 1, Math.floor((value - low) / width))] += 1;
  return { low, width, counts, total: column.length };
}

function computeQuantile({ low, width, counts, total }: Histogram, share: number): number {
  const target = share * total;
  let before = 0;
  for (let bin = 0; bin < histogramBins; bin++) {
    if (before + counts[bin] >= target)
      return bin === 0 ? low : low + (bin + (target - before) / counts[bin]) * width;
    before += counts[bin];
  }
  return low + histogramBins * width;
}

function computeMean(column: Float64Array, of: (value: number) => number = (value) => value): number {
  let sum = 0;
  for (const value of column) sum += of(value);
  return sum / column.length;
}

function findMin(column: Float64Array): number {
  let least = column[0];
  for (const value of column) if (value < least) least = value;
  return least;
}

function findMax(column: Float64Array): number {
  let most = column[0];
  for (const value of column) if (value > most) most = value;
  return most;
}
