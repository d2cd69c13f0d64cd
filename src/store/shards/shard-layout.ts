import type { Calibration, Clock, Frames, Stream } from '#core/episode';

/**
 * Size in bytes of a piece of a shard, a Parquet file with seven columns, sorted by `place`:
 * - `place`: number of the episode in the file, from 0;
 * - `about`: `ShardEpisode` as JSON, only in the first row of each episode;
 * - `item`, `part`: number of the array in the episode (−1 next to `about`), and of the piece in the array;
 * - `from_s`, `to_s`: minimum and maximum stamp of the piece if the array is a clock;
 * - `bytes`: the piece, `pieceBytes` long except the last: little-endian IEEE 754, row-major.
 * docs/decisions/ explains the choice with measurements.
 */
export const pieceBytes = 8192;

/** A stream without its numbers and pictures. */
export interface ShardStream
  extends Pick<
    Stream,
    'id' | 'role' | 'modality' | 'shape' | 'names' | 'unit' | 'declared_rate_hz' | 'sample_count' | 'clock'
  > {
  /** Index into `ShardEpisode.arrays`; null if the stream has no numbers. */
  readonly values: number | null;
  /** Location of its pictures in the recording. */
  readonly frames?: Pick<Frames, 'locator' | 'declared_size_px' | 'declared_codec'>;
  readonly clocks: readonly (Pick<Clock, 'name' | 'provenance'> & { readonly times: number })[];
}

/** Type and size of a stored array. */
export interface ShardArray {
  readonly type: 'float32' | 'float64';
  /** Numbers per row. */
  readonly dims: number;
  readonly rows: number;
}

/** Content of a shard for one episode. */
export interface ShardEpisode {
  readonly name: string;
  readonly arrays: readonly ShardArray[];
  readonly streams: readonly ShardStream[];
  /** Absent if the recording has none, or in older shards. */
  readonly calibrations?: readonly Calibration[];
}

/** Bytes per number. */
export const bytesPerNumber = { float32: 4, float64: 8 } as const;
