import type { TrainingVideo } from '../../shared/write/training-episode.ts';
import type { CameraStatistics } from './statistics/statistics.ts';

/** Rows of an episode that is whole, whatever they are called. */
export const everyRow = Number.MAX_SAFE_INTEGER;

/** An episode that the new set keeps; what is small enough to be held for all of them. */
export interface KeptEpisode {
  readonly id: string;
  /** Place of its set among those that are copied from. */
  readonly source: number;
  readonly source_index: number;
  /** The Parquet file of its rows, absolute. */
  readonly data: string;
  /** Row of the source's episode that it begins with. */
  readonly first: number;
  /** Row of the source's episode that it ends before. */
  readonly until: number;
  /** Row of the source's episode that each of its rows takes; null: one after the other from `first` on. */
  readonly picked: Int32Array | null;
  /** All rows of the source's episode, as they are. */
  readonly whole: boolean;
  /** Its place in the new set. */
  readonly index: number;
  readonly rows: number;
  /** Place of its first row in the new set. */
  readonly from_row: number;
  readonly videos: readonly TrainingVideo[];
}

/** Where a camera's frames of an episode lie in the new set. */
export interface PlacedVideo {
  readonly file: number;
  readonly from_s: number;
  readonly to_s: number;
  /** Frames of the file before the episode's first, which a player leaves out. */
  readonly hidden_frames: number;
  /** Of pictures that were encoded; absent: they are those of the source. */
  readonly statistics?: CameraStatistics;
}
