import type { Severity } from './finding.ts';

/** Statistics of a numeric stream as a dataset's metadata gives them: one number a dimension, NaN where it is none. */
export interface StreamStatistics {
  readonly min: readonly number[] | null;
  readonly max: readonly number[] | null;
  readonly mean: readonly number[] | null;
  readonly std: readonly number[] | null;
  /** Rows that they are of. */
  readonly count: number | null;
}

/** What a dataset's metadata says of all its rows together. Plain data. */
export interface DeclaredStatistics {
  /** File that says so, relative to the dataset. */
  readonly path: string;
  /** Episodes that the dataset has by its own tables. */
  readonly episodes: number;
  /** By stream id. */
  readonly streams: Readonly<Record<string, StreamStatistics>>;
  /** Mean luma of each camera's pictures, 0 to 255, by stream id. */
  readonly luma: Readonly<Record<string, number>>;
  /** What to say where numbers are wrong, and where pictures are. */
  readonly wrong: StatisticsFinding;
  readonly pictures_wrong: StatisticsFinding;
}

interface StatisticsFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly advice: string;
}
