import type { Severity } from './finding.ts';

/** Statistics of a numeric stream, declared in a dataset's metadata: one number per dimension, NaN if it is not a number. */
export interface StreamStatistics {
  readonly min: readonly number[] | null;
  readonly max: readonly number[] | null;
  readonly mean: readonly number[] | null;
  readonly std: readonly number[] | null;
  /** Number of rows they were computed from. */
  readonly count: number | null;
}

/** Statistics that a dataset's metadata declares for all its rows together. Plain data. */
export interface DeclaredStatistics {
  /** File that declares them, relative to the dataset. */
  readonly path: string;
  /** Number of episodes in the dataset's tables. */
  readonly episodes: number;
  /** By stream id. */
  readonly streams: Readonly<Record<string, StreamStatistics>>;
  /** Mean luma of each camera's pictures, 0 to 255, by stream id. */
  readonly luma: Readonly<Record<string, number>>;
  /** Findings to report if the statistics of numbers, or of pictures, are wrong. */
  readonly wrong: StatisticsFinding;
  readonly pictures_wrong: StatisticsFinding;
}

interface StatisticsFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly advice: string;
}
