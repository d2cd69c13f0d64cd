import type { DuckDBConnection } from '@duckdb/node-api';
import type { JsonObject } from '#core';
import type { RgbFrame } from '#io/video';
import type { EncodeEdit } from '../../../shared/write/edits/export-edit.ts';
import type { TrainingVideo } from '../../../shared/write/training-episode.ts';
import type { CameraStatistics, FeatureStatistics } from '../statistics.ts';

/** An episode whose rows and frames are written. */
export interface PlacedEpisode extends CopiedEpisode {
  readonly tasks: readonly string[];
  readonly data_file: number;
  /** Video location by camera. */
  readonly placements: Readonly<Record<string, VideoPlacement>>;
  readonly statistics: Readonly<Record<string, FeatureStatistics>>;
}

/** Decodes the frames at the given positions of a video span; position i is its i-th frame. */
export type DecodeVideo = (
  video: TrainingVideo,
  places: ReadonlySet<number>,
) => AsyncIterable<readonly [place: number, picture: RgbFrame]>;

/** Target coding of videos that do not match it already. */
export interface CameraEncoding {
  readonly codec: EncodedCodec;
  readonly size?: readonly [width_px: number, height_px: number];
  /** True if rows are resampled, so that no file can be copied. */
  readonly resampled: boolean;
  readonly decode: DecodeVideo;
}

/** Options for copying a camera's videos. */
export interface CopyVideosOptions {
  readonly folder: string;
  readonly rate_hz: number;
  readonly signal: AbortSignal;
  /** Target coding; null to copy all files. */
  readonly encoding: CameraEncoding | null;
  /** Called regularly during long work. */
  readonly onStep: () => void;
  /** Called after each episode. */
  readonly onEpisode: () => void;
}

/** Totals and info.json fields of a finished set. */
export interface SetSummary {
  /** meta/info.json of the source with the new features. */
  readonly info: JsonObject;
  readonly episodes: number;
  readonly frames: number;
  readonly cameras: number;
  /** Task texts; the position of a text is its task_index. */
  readonly tasks: readonly string[];
  readonly splits: Readonly<Record<string, string>>;
}

/** Writes the metadata of a set: episode by episode, then the totals. */
export interface MetadataWriter {
  /** Adds the next episode, in the order of their indexes. */
  add(episode: PlacedEpisode): Promise<void>;
  /** Writes the remaining tables and totals; call it once, after the last episode. */
  finish(summary: SetSummary): Promise<void>;
  /** Closes open files, finished or not. */
  close(): Promise<void>;
}

/** File layout and metadata of a LeRobot version. */
export interface LeRobotLayout {
  /** Returns the data file number of each episode, ascending from 0. `row_bytes`: bytes per row in the source. */
  assignFiles(episodes: readonly CopiedEpisode[], row_bytes: number): number[];
  /** Returns the path of a data file in the set. */
  dataPath(file: number): string;
  /** Copies or encodes the frames of one camera and returns their locations in the order of `episodes`. */
  copyVideos(
    camera: string,
    episodes: readonly CopiedEpisode[],
    options: CopyVideosOptions,
  ): Promise<VideoPlacement[]>;
  /** Opens the metadata writer. */
  openMetadata(folder: string, connection: DuckDBConnection): Promise<MetadataWriter>;
}

/** Codec of encoded videos. */
export type EncodedCodec = NonNullable<EncodeEdit['codec']>;

/** Row count that marks a complete episode in queries. */
export const allRows = Number.MAX_SAFE_INTEGER;

/** An episode of the new set; small enough to hold all of them in memory. */
export interface CopiedEpisode {
  readonly id: string;
  /** Position of its set among the sources. */
  readonly source: number;
  readonly source_index: number;
  /** Absolute path of the Parquet file with its rows. */
  readonly data: string;
  /** First row in the source's episode. */
  readonly first: number;
  /** End row in the source's episode, exclusive. */
  readonly until: number;
  /** Source row of each row if resampled; null for consecutive rows from `first`. */
  readonly sourceRows: Int32Array | null;
  /** True if it has all rows of the source's episode unchanged. */
  readonly isWhole: boolean;
  /** Index in the new set. */
  readonly index: number;
  readonly rows: number;
  /** Index of its first row in the new set. */
  readonly from_row: number;
  readonly videos: readonly TrainingVideo[];
}

/** Location of a camera's frames of an episode in the new set. */
export interface VideoPlacement {
  readonly file: number;
  readonly from_s: number;
  readonly to_s: number;
  /** Number of frames before the episode's first, hidden by the edit list. */
  readonly hidden_frames: number;
  /** Statistics of encoded pictures; undefined for copied ones. */
  readonly statistics?: CameraStatistics;
}
