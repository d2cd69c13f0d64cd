import type { Calibration, Clock, Frames, Stream } from '#core/episode';

/**
 * How numbers lie in a shard. A Parquet file of seven columns, sorted by `place`:
 *
 * - `place`: which episode of the file, from 0;
 * - `about`: JSON of `ShardEpisode`, in the first row of each episode only;
 * - `item`, `part`: which array of the episode (−1 beside `about`), and which piece of it;
 * - `from_s`, `to_s`: least and greatest stamp of the piece, where the array is a clock;
 * - `bytes`: the piece, `pieceBytes` long but the last: little-endian IEEE 754 as they were read, row-major.
 *
 * docs/decisions/ says why, with numbers.
 */
export const pieceBytes = 8192;

/** Everything of a stream but its numbers and pictures. */
export interface ShardStream
  extends Pick<
    Stream,
    'id' | 'role' | 'modality' | 'shape' | 'names' | 'unit' | 'declared_rate_hz' | 'sample_count' | 'clock'
  > {
  /** Index into `ShardEpisode.arrays`; null where the stream has no numbers. */
  readonly values: number | null;
  /** Where its pictures lie in the recording. */
  readonly frames?: Pick<Frames, 'locator' | 'declared_size_px' | 'declared_codec'>;
  readonly clocks: readonly (Pick<Clock, 'name' | 'provenance'> & { readonly times: number })[];
}

export interface ShardArray {
  readonly type: 'float32' | 'float64';
  /** Numbers a row. */
  readonly dims: number;
  readonly rows: number;
}

/** What a shard holds of one episode. */
export interface ShardEpisode {
  readonly name: string;
  readonly arrays: readonly ShardArray[];
  readonly streams: readonly ShardStream[];
  /** Absent: the recording says none, or the shard is older than this. */
  readonly calibrations?: readonly Calibration[];
}

export const bytesOf = { float32: 4, float64: 8 } as const;
