import { disagreement } from '../../read/stats/compare-stats.ts';
import { flatNumbers, type StatisticsEntry } from '../draft/statistics-entry.ts';

/** In what way an entry is not that of the rows; null where it is. */
export interface Wrong {
  readonly kind: 'missing' | 'not_a_number' | 'std_zero' | 'quantiles' | 'quantiles_absent' | 'stale';
  readonly before: string;
  readonly after: string;
}

type Lists = Readonly<Record<'min' | 'max' | 'mean' | 'std', readonly number[]>>;

/** An episode's entry against its rows, row-major. */
export function wrongOfEpisode(
  entry: StatisticsEntry | undefined,
  { dims, values }: { readonly dims: number; readonly values: Float64Array },
  quantiles: boolean,
): Wrong | null {
  const lists = listsOf(entry, dims);
  if (lists === null || entry === undefined) return { kind: 'missing', before: 'absent', after: 'computed' };
  const bad = notNumbers(lists);
  if (bad !== null) return bad;
  const count = flatNumbers(entry.count)?.[0] ?? null;
  const off = disagreement(values, dims, { ...lists, count });
  if (off !== null) {
    const place = off.dimension < 0 ? '' : ` of dimension ${off.dimension}`;
    return {
      kind: off.statistic === 'std' && off.declared === 0 ? 'std_zero' : 'stale',
      before: `${off.statistic}${place} ${short(off.declared)}`,
      after: short(off.found),
    };
  }
  return count === null
    ? { kind: 'missing', before: 'no count', after: 'computed' }
    : levels(entry, lists, quantiles);
}

/** What all rows of a set give, to hold its entry against. */
export class Moments {
  rows = 0;
  readonly low: number[] = [];
  readonly high: number[] = [];
  readonly #sum: number[] = [];
  readonly #squares: number[] = [];

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

  /** The set's entry against the rows; float32 sums of its writers are allowed for. */
  wrong(entry: StatisticsEntry | undefined, quantiles: boolean): Wrong | null {
    const dims = this.low.length;
    const lists = listsOf(entry, dims);
    if (lists === null || entry === undefined) return { kind: 'missing', before: 'absent', after: 'pooled' };
    const bad = notNumbers(lists);
    if (bad !== null) return bad;
    const count = flatNumbers(entry.count)?.[0] ?? null;
    if (count !== null && count !== this.rows)
      return { kind: 'stale', before: `count ${count}`, after: String(this.rows) };
    for (let dim = 0; dim < dims; dim++) {
      const off = this.#off(lists, dim);
      if (off !== null) return off;
    }
    return levels(entry, lists, quantiles);
  }

  #off({ min, max, mean, std }: Lists, dim: number): Wrong | null {
    const found = this.#sum[dim] / this.rows;
    const square = this.#squares[dim] / this.rows;
    const rounding = (this.rows + 8) * unit;
    const variance = Math.max(0, square - found * found);
    const slack = 3 * rounding * square;
    const stale = (name: string, before: number, after: number): Wrong => ({
      kind: 'stale',
      before: `${name} of dimension ${dim} ${short(before)}`,
      after: short(after),
    });
    if (differs(min[dim], this.low[dim], 4 * unit * Math.abs(this.low[dim])))
      return stale('min', min[dim], this.low[dim]);
    if (differs(max[dim], this.high[dim], 4 * unit * Math.abs(this.high[dim])))
      return stale('max', max[dim], this.high[dim]);
    if (differs(mean[dim], found, rounding * Math.sqrt(square))) return stale('mean', mean[dim], found);
    if (!differs(std[dim] ** 2, variance, slack)) return null;
    const wrong = stale('std', std[dim], Math.sqrt(variance));
    return std[dim] === 0 ? { ...wrong, kind: 'std_zero' } : wrong;
  }
}

/** Half a unit in the last place of float32, relative. */
const unit = 2 ** -24;

function differs(declared: number, found: number, slack: number): boolean {
  return !(Math.abs(declared - found) <= slack + Number.MIN_VALUE);
}

function listsOf(entry: StatisticsEntry | undefined, dims: number): Lists | null {
  if (entry === undefined) return null;
  const lists: Record<string, readonly number[]> = {};
  for (const name of ['min', 'max', 'mean', 'std']) {
    const list = flatNumbers(entry[name]);
    if (list?.length !== dims) return null;
    lists[name] = list;
  }
  return lists as Lists;
}

function notNumbers(lists: Lists): Wrong | null {
  const bad = Object.entries(lists).find(([, list]) => !list.every(Number.isFinite));
  return bad === undefined
    ? null
    : { kind: 'not_a_number', before: `${bad[0]} is no number`, after: 'computed' };
}

/** Quantiles rise with their level and lie between min and max, as near as a histogram says. */
function levels(entry: StatisticsEntry, { min, max }: Lists, wanted: boolean): Wrong | null {
  const names = Object.keys(quantileShares).filter((name) => name in entry);
  if (!wanted) return null;
  if (names.length === 0) return { kind: 'quantiles_absent', before: 'no quantiles', after: 'computed' };
  const steps = [min, ...names.map((name) => flatNumbers(entry[name]) ?? []), max];
  for (let at = 1; at < steps.length; at++) {
    for (let dim = 0; dim < min.length; dim++) {
      const slack = Math.abs(max[dim] - min[dim]) / 1000 + Math.abs(steps[at][dim]) * 2 ** -20 + 1e-8;
      if (steps[at - 1][dim] <= steps[at][dim] + slack) continue;
      const name = names[at - 1] ?? 'max';
      return {
        kind: 'quantiles',
        before: `${name} of dimension ${dim} ${short(steps[at][dim])}`,
        after: 'computed',
      };
    }
  }
  return null;
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** Kinds of numbers: what arithmetic the library does on them. */
export type NumberKind = 'float32' | 'float64' | 'integer';

const quantileShares: Readonly<Record<string, number>> = {
  q01: 0.01,
  q10: 0.1,
  q50: 0.5,
  q90: 0.9,
  q99: 0.99,
};
const bins = 5000;

/** What LeRobot 0.3.3 writes of a feature in one episode (get_feature_stats); `columns` are one a dimension. */
export function entryV2(columns: readonly Float64Array[], kind: NumberKind): StatisticsEntry {
  const round = kind === 'float32' ? Math.fround : (value: number) => value;
  const means = columns.map((column) => meanOf(column));
  return {
    min: columns.map(leastOf),
    max: columns.map(mostOf),
    mean: means.map(round),
    std: columns.map((column, dim) => round(Math.sqrt(meanOf(column, (value) => (value - means[dim]) ** 2)))),
    count: [columns[0].length],
  };
}

/** What LeRobot 0.4.4 writes (RunningQuantileStats): quantiles are read off a histogram of 5,000 bins. */
export function entryV3(columns: readonly Float64Array[], kind: NumberKind): StatisticsEntry {
  const round = kind === 'float32' ? Math.fround : (value: number) => value;
  const means = columns.map((column) => round(meanOf(column)));
  const plain = {
    min: columns.map(leastOf),
    max: columns.map(mostOf),
    mean: means,
    count: [columns[0].length],
  };
  const quantiles = Object.keys(quantileShares);
  if (columns[0].length < 2) {
    const same = Object.fromEntries(quantiles.map((name) => [name, means]));
    return { ...plain, std: means.map(() => 0), ...same };
  }
  const squares = columns.map((column) => round(meanOf(column, (value) => round(value * value))));
  const histograms = columns.map(histogramOf);
  const levels = quantiles.map((name) => [
    name,
    histograms.map((histogram) => quantileOf(histogram, quantileShares[name])),
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

function histogramOf(column: Float64Array): Histogram {
  const low = leastOf(column) - 1e-10;
  const width = (mostOf(column) + 1e-10 - low) / bins;
  const counts = new Float64Array(bins);
  for (const value of column) counts[Math.min(bins - 1, Math.floor((value - low) / width))] += 1;
  return { low, width, counts, total: column.length };
}

function quantileOf({ low, width, counts, total }: Histogram, share: number): number {
  const target = share * total;
  let before = 0;
  for (let bin = 0; bin < bins; bin++) {
    if (before + counts[bin] >= target)
      return bin === 0 ? low : low + (bin + (target - before) / counts[bin]) * width;
    before += counts[bin];
  }
  return low + bins * width;
}

function meanOf(column: Float64Array, of: (value: number) => number = (value) => value): number {
  let sum = 0;
  for (const value of column) sum += of(value);
  return sum / column.length;
}

function leastOf(column: Float64Array): number {
  let least = column[0];
  for (const value of column) if (value < least) least = value;
  return least;
}

function mostOf(column: Float64Array): number {
  let most = column[0];
  for (const value of column) if (value > most) most = value;
  return most;
}
