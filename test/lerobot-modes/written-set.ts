import type { Encoding } from '../support/encode-video.ts';
import type { Studio } from './film.ts';
import type { Recording } from './recording.ts';
import type { Shot } from './shot.ts';
import type { Entry } from './statistics.ts';

export type Version = 'v2.1' | 'v3.0';
export const versions: readonly Version[] = ['v2.1', 'v3.0'];

/** Values that a loader must return for a row: its episode and row, the codes of its images, its text. */
interface RowTruth {
  readonly episode: number;
  readonly row: number;
  readonly codes: readonly number[];
  readonly task: string;
}

export interface DataRow {
  readonly values: Record<string, unknown>;
  /** Not written; for the loader's oracle. */
  readonly truth: RowTruth;
}

export type ColumnType = 'FLOAT[]' | 'DOUBLE[]' | 'FLOAT' | 'DOUBLE' | 'BIGINT' | 'BOOLEAN' | 'PICTURE';

export interface DataFile {
  path: string;
  columns: Record<string, ColumnType>;
  rows: DataRow[];
  /** Key and value metadata of the file's footer. */
  footer: Record<string, string>;
}

/** Part of a video that belongs to an episode. */
interface Clip {
  readonly episode: number;
  shots: Shot[];
}

export interface VideoFile {
  path: string;
  readonly camera: string;
  clips: Clip[];
  /** Encoding, if it differs from the usual one. */
  encoding?: Partial<Encoding>;
  size?: { readonly width: number; readonly height: number };
}

export type Statistics = Record<string, Entry>;

export interface Feature {
  dtype: string;
  shape: number[];
  names: unknown;
  info?: Record<string, unknown>;
}

/** meta/info.json: the keys that modes change, and whatever else it has. */
export interface Info {
  [key: string]: unknown;
  fps: number;
  total_episodes: number;
  total_frames: number;
  total_tasks: number;
  chunks_size: number;
  features: Record<string, Feature>;
}

/** A row of the table of episodes (v3) or a line of episodes.jsonl (v2.1). */
export interface EpisodeRow {
  [key: string]: unknown;
  episode_index: number;
  tasks: string[];
  length: number;
}

/** A set as it is about to be written: everything in it may still be spoiled. */
export interface WrittenSet {
  readonly version: Version;
  readonly recording: Recording;
  readonly studio: Studio;
  info: Info;
  tasks: { task_index: number; task: string }[];
  /** True if the task text is the pandas index of the table (v3); otherwise it is a plain column. */
  taskIndex: boolean;
  episodes: EpisodeRow[];
  /** v2.1: meta/episodes_stats.jsonl. In v3 they are columns of `episodes`. */
  episodeStats: { episode_index: number; stats: Statistics }[];
  /** v3: meta/stats.json. */
  stats: Statistics | null;
  data: DataFile[];
  videos: VideoFile[];
  /** Other files, by path. */
  extra: Record<string, string | Uint8Array>;
  /** Done to the files when they are written. */
  readonly after: ((folder: string) => Promise<void>)[];
}
