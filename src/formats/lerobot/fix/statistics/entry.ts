import type { StatisticsEntry } from '../draft/statistics-entry.ts';

/** Kinds of numbers: what arithmetic the library does on them. */
export type NumberKind = 'float32' | 'float64' | 'integer';

export const quantileShares: Readonly<Record<string, number>> = {
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
