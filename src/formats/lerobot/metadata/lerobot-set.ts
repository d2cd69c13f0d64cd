import type { JsonObject } from '#core';
import type { FileHasher, SourceTree } from '#io/sources';
import type { ParquetColumn } from '../../shared/parquet/footer.ts';
import type { ReadOptions } from '../../shared/reader.ts';
import type { FilePlan } from '../read/episodes/column-plan.ts';
import type { EpisodeTable } from '../read/episodes/episode-table.ts';
import type { CameraWindows } from '../read/findings/windows.ts';
import type { ReadEpisodeStats } from '../read/stats/stats-entry.ts';
import type { Feature, LeRobotInfo } from './info.ts';
import type { TaskTable } from './tasks.ts';

/** An opened set: its metadata, and where its files lie. */
export interface LeRobotSet {
  readonly tree: SourceTree;
  readonly layout: 'v2' | 'v3';
  readonly info: LeRobotInfo;
  /** Declared features, or those of the data files where none are declared. */
  readonly features: ReadonlyMap<string, Feature>;
  readonly tasks: TaskTable | null;
  readonly episodes: EpisodeTable;
  readonly stats: JsonObject | null;
  /** File that `stats` are from. */
  readonly statsPath: string | null;
  /** Statistics of single episodes; null where the set has none. */
  readonly episodeStats: ReadEpisodeStats | null;
  /** Cameras with video that episodes carry: declared, and at least one file there (or no camera has any). */
  readonly cameras: readonly Feature[];
  /** Windows of a camera in the video files that episodes share; null where each has its own file. */
  readonly windows: (camera: string) => CameraWindows | null;
  readonly hasher: FileHasher;
  /** Columns of one data file, to compare the others with; null when none could be read. */
  readonly reference: readonly ParquetColumn[] | null;
  /** Columns of data files already looked into, by path. */
  readonly columns: Map<string, Promise<readonly ParquetColumn[]>>;
  /** Files that are Git LFS pointers. */
  readonly pointers: ReadonlySet<string>;
}

/** Whether episodes may be read one over the other: the consumer allows it, and none waits for its pictures. */
export function mayReuse(set: LeRobotSet, plan: FilePlan, { reuse_arrays }: ReadOptions): boolean {
  return reuse_arrays === true && set.cameras.length === 0 && plan.pictures.length === 0;
}
