import type { DuckDBConnection } from '@duckdb/node-api';
import type { JsonObject } from '#core';
import type { RgbFrame } from '#io/video';
import type { TrainingVideo } from '../../shared/write/training-episode.ts';
import type { EncodedCodec } from './encode/encoded-videos.ts';
import type { KeptEpisode, PlacedVideo } from './kept-episode.ts';
import type { FeatureStatistics } from './statistics/aggregate-statistics.ts';

/** What is known of an episode once its rows and frames are written. */
export interface PlacedEpisode extends KeptEpisode {
  readonly tasks: readonly string[];
  readonly data_file: number;
  /** By camera. */
  readonly placed: Readonly<Record<string, PlacedVideo>>;
  readonly statistics: Readonly<Record<string, FeatureStatistics>>;
}

/** Decodes frames of a span of a video file: place i is its i-th frame. */
export type DecodeVideo = (
  video: TrainingVideo,
  places: ReadonlySet<number>,
) => AsyncIterable<readonly [place: number, picture: RgbFrame]>;

/** What becomes of videos that are not as they were asked for. */
export interface CameraEncoding {
  readonly codec: EncodedCodec;
  readonly size?: readonly [width_px: number, height_px: number];
  /** Rows are not those of the source, so that no file can be copied. */
  readonly resampled: boolean;
  readonly decode: DecodeVideo;
}

export interface CopyVideosOptions {
  readonly folder: string;
  readonly rate_hz: number;
  readonly signal: AbortSignal;
  /** Null: all files are copied. */
  readonly encoding: CameraEncoding | null;
  /** Has come further, also where it takes long. */
  readonly onStep: () => void;
  /** Hears of each episode whose frames of one camera are copied. */
  readonly onEpisode: () => void;
}

export interface SetSummary {
  /** meta/info.json of the source, its features those of the new set. */
  readonly info: JsonObject;
  readonly episodes: number;
  readonly frames: number;
  readonly cameras: number;
  /** Texts of the tasks; the place of a text is its task_index. */
  readonly tasks: readonly string[];
  readonly splits: Readonly<Record<string, string>>;
}

/** Writes what a set says of its episodes, one after another, and then of itself. */
export interface MetadataWriter {
  add(episode: PlacedEpisode): Promise<void>;
  finish(summary: SetSummary): Promise<void>;
  /** Lets go of files, whether it was finished or not. */
  close(): Promise<void>;
}

/** How a version of LeRobot lays a set out: rows and frames are the same, files and metadata are not. */
export interface LeRobotLayout {
  /** Data file of each episode, numbers that rise from 0. `row_bytes` is what a row takes in the source. */
  shareOut(episodes: readonly KeptEpisode[], row_bytes: number): number[];
  /** Relative to the set. */
  dataPath(file: number): string;
  /** Copies the frames of one camera. Gives where each episode's lie, by the order of `episodes`. */
  copyVideos(
    camera: string,
    episodes: readonly KeptEpisode[],
    options: CopyVideosOptions,
  ): Promise<PlacedVideo[]>;
  openMetadata(folder: string, connection: DuckDBConnection): Promise<MetadataWriter>;
}
