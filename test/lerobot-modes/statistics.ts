/** A feature's entry of a statistics table: vectors, of a camera nested as (3, 1, 1). */
export type Entry = Record<string, unknown>;

const shares = { q01: 0.01, q10: 0.1, q50: 0.5, q90: 0.9, q99: 0.99 } as const;
const bins = 5000;

/** Kinds of numbers: what arithmetic the library does on them. */
export type Kind = 'float32' | 'float64' | 'integer';

/** Computes the statistics that LeRobot 0.3.3 writes for a feature of an episode (`compute_stats.py`); one column per dimension. */
export function entryV2(columns: readonly ArrayLike<number>[], kind: Kind): Entry {
  const round = kind === 'float32' ? Math.fround : (value: number) => value;
  const means = columns.map((column) => meanOf(column));
  return {
    min: columns.map(minOf),
    max: columns.map(maxOf),
    mean: means.map(round),
    std: columns.map((column, dim) => round(Math.sqrt(meanOf(column, (value) => (value - means[dim]) ** 2)))),
    count: [columns[0].length],
  };
}

/**
 * Computes the statistics that LeRobot 0.4.4 writes (RunningQuantileStats): the deviation from a mean of squares in the feature's own arithmetic, and
 * quantiles from a histogram of 5,000 bins.
 */
export function entryV3(columns: readonly ArrayLike<number>[], kind: Kind): Entry {
  const round = kind === 'float32' ? Math.fround : (value: number) => value;
  const means = columns.map((column) => round(meanOf(column)));
  const squares = columns.map((column) => round(meanOf(column, (value) => round(value * value))));
  return {
    min: columns.map(minOf),
    max: columns.map(maxOf),
    mean: means,
    std: squares.map((square, dim) => Math.sqrt(Math.max(0, round(square - round(means[dim] ** 2))))),
    count: [columns[0].length],
    ...quantilesOf(columns),
  };
}

/**
 * Computes camera statistics; `channels` count the bytes 0 to 255 of red, green and blue. 0.4.4 squares them as bytes, which overflow,
 * so that its deviations are far too small, mostly 0.
 */
export function cameraEntry(
  channels: readonly Float64Array[],
  pictures: number,
  version: 'v2.1' | 'v3.0',
): Entry {
  const nested = (values: readonly number[]) => values.map((value) => [[value / 255]]);
  const mean = (counts: Float64Array, of: (value: number) => number) =>
    counts.reduce((sum, count, value) => sum + count * of(value), 0) /
    counts.reduce((sum, count) => sum + count, 0);
  const means = channels.map((counts) => mean(counts, (value) => value));
  const spread = (counts: Float64Array, dim: number): number =>
    version === 'v2.1'
      ? mean(counts, (value) => (value - means[dim]) ** 2)
      : Math.max(0, mean(counts, (value) => (value * value) & 255) - means[dim] ** 2);
  const entry: Entry = {
    min: nested(channels.map((counts) => counts.findIndex((count) => count > 0))),
    max: nested(channels.map((counts) => counts.findLastIndex((count) => count > 0))),
    mean: nested(means),
    std: nested(channels.map((counts, dim) => Math.sqrt(spread(counts, dim)))),
    count: [pictures],
  };
  if (version === 'v2.1') return entry;
  const all = channels.map((counts) => histogram(Array.from(counts.keys()), counts));
  const quantiles = Object.entries(shares).map(([name, share]) => [
    name,
    nested(all.map((counts) => quantile(counts, share))),
  ]);
  return { ...entry, ...Object.fromEntries(quantiles) };
}

/** The set's entry from its episodes' (aggregate_feature_stats): quantiles are averaged, as the library does. */
export function pool(entries: readonly Entry[]): Entry {
  const counts = entries.map((entry) => flat(entry.count)[0]);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const vectors = (name: string) => entries.map((entry) => flat(entry[name]));
  const weighted = (parts: readonly number[][]) =>
    parts[0].map((_, dim) => parts.reduce((sum, part, i) => sum + part[dim] * counts[i], 0) / total);
  const means = vectors('mean');
  const mean = weighted(means);
  const variances = vectors('std').map((part, i) =>
    part.map((value, dim) => value ** 2 + (means[i][dim] - mean[dim]) ** 2),
  );
  const pooled: Record<string, number[]> = {
    min: mean.map((_, dim) => Math.min(...vectors('min').map((part) => part[dim]))),
    max: mean.map((_, dim) => Math.max(...vectors('max').map((part) => part[dim]))),
    mean,
    std: weighted(variances).map(Math.sqrt),
  };
  for (const name of Object.keys(shares)) if (name in entries[0]) pooled[name] = weighted(vectors(name));
  const camera = Array.isArray((entries[0].mean as unknown[])[0]);
  const shaped = Object.entries(pooled).map(([name, values]) => [
    name,
    camera ? values.map((value) => [[value]]) : values,
  ]);
  return { ...Object.fromEntries(shaped), count: [total] };
}

/** Every feature's entry of the set from its episodes'. */
export function pooled(episodes: readonly Readonly<Record<string, Entry>>[]): Record<string, Entry> {
  const keys = Object.keys(episodes[0]);
  return Object.fromEntries(keys.map((key) => [key, pool(episodes.map((episode) => episode[key]))]));
}

/** The numbers of a vector or a nested camera entry in a row. */
function flat(value: unknown): number[] {
  return (value as unknown[]).flat(2) as number[];
}

function quantilesOf(columns: readonly ArrayLike<number>[]): Record<keyof typeof shares, number[]> {
  const all = columns.map((column) => histogram(column));
  const of = (share: number) => all.map((counts) => quantile(counts, share));
  return { q01: of(0.01), q10: of(0.1), q50: of(0.5), q90: of(0.9), q99: of(0.99) };
}

interface Histogram {
  readonly low: number;
  readonly width: number;
  readonly counts: Float64Array;
  readonly total: number;
}

/** `weights` say how often each value is there; once without them. */
function histogram(column: ArrayLike<number>, weights?: Float64Array): Histogram {
  const there = weights === undefined ? column : Array.from(column).filter((_, i) => weights[i] > 0);
  const low = minOf(there) - 1e-10;
  const width = (maxOf(there) + 1e-10 - low) / bins;
  const counts = new Float64Array(bins);
  let total = 0;
  for (let i = 0; i < column.length; i++) {
    const weight = weights?.[i] ?? 1;
    total += weight;
    if (weight > 0 && Number.isFinite(column[i])) {
      counts[Math.min(bins - 1, Math.floor((column[i] - low) / width))] += weight;
    }
  }
  return { low, width, counts, total };
}

function quantile({ low, width, counts, total }: Histogram, share: number): number {
  const target = share * total;
  let before = 0;
  for (let bin = 0; bin < bins; bin++) {
    if (before + counts[bin] >= target) {
      if (bin === 0) return low;
      return low + (bin + (target - before) / counts[bin]) * width;
    }
    before += counts[bin];
  }
  return low + bins * width;
}

function meanOf(column: ArrayLike<number>, of: (value: number) => number = (value) => value): number {
  let sum = 0;
  for (let i = 0; i < column.length; i++) sum += of(column[i]);
  return sum / column.length;
}

function minOf(column: ArrayLike<number>): number {
  let least = column[0];
  for (let i = 1; i < column.length; i++) if (column[i] < least) least = column[i];
  return least;
}

function maxOf(column: ArrayLike<number>): number {
  let most = column[0];
  for (let i = 1; i < column.length; i++) if (column[i] > most) most = column[i];
  return most;
}
