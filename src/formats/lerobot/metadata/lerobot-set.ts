import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import type { FileHasher, SourceTree } from '#io/sources';
import type { ParquetColumn } from '../../shared/parquet/footer.ts';
import type { ReadOptions } from '../../shared/reader.ts';
import type { FilePlan } from '../read/episodes/column-plan.ts';
import type { EpisodeTable } from '../read/episodes/episode-table.ts';
import type { EpisodeTableData } from '../read/episodes/episodes-v3.ts';
import type { CameraWindows } from '../read/findings/windows.ts';
import type { EpisodeStatsLocation, EpisodeStatsReader } from '../read/stats/episode-stats.ts';
import type { Feature, LeRobotInfo } from './info.ts';
import type { TaskTable } from './tasks.ts';

/** An opened set: its metadata and the location of its files. */
export interface LeRobotSet {
  readonly tree: SourceTree;
  readonly layout: 'v2' | 'v3';
  readonly info: LeRobotInfo;
  /** Declared features, or those of the data files if none are declared. */
  readonly features: ReadonlyMap<string, Feature>;
  readonly tasks: TaskTable | null;
  readonly episodes: EpisodeTable;
  /** Statistics of the set by feature; null if there are none. */
  readonly stats: JsonObject | null;
  /** File of `stats`. */
  readonly statsPath: string | null;
  /** Reader for statistics of single episodes; null if the set has none. */
  readonly episodeStats: EpisodeStatsReader | null;
  /** Cameras with video: declared, with at least one file; all declared ones if no camera has files. */
  readonly cameras: readonly Feature[];
  /** Windows of a camera in shared video files; null if each episode has its own file. */
  readonly windows: (camera: string) => CameraWindows | null;
  readonly hasher: FileHasher;
  /** Columns of the first readable data file, used as reference for the others; null if none can be read. */
  readonly reference: readonly ParquetColumn[] | null;
  /** Cached columns of data files by path. */
  readonly columns: Map<string, Promise<readonly ParquetColumn[]>>;
  /** Paths of files that are Git LFS pointers. */
  readonly pointers: ReadonlySet<string>;
}

/**
 * Returns true if the arrays of an episode may be reused for the next: the caller allows it, and no pictures are read
 * afterwards.
 */
export function mayReuse(set: LeRobotSet, plan: FilePlan, { reuse_arrays }: ReadOptions): boolean {
  return reuse_arrays === true && set.cameras.length === 0 && plan.pictures.length === 0;
}

/** Plain data read while opening a v3 set, from which another thread can open it. */
export interface LeRobotSnapshot {
  readonly parts: Pick<
    LeRobotSet,
    'layout' | 'info' | 'features' | 'tasks' | 'stats' | 'statsPath' | 'cameras' | 'reference' | 'pointers'
  >;
  readonly table: EpisodeTableData;
  readonly episodeStatsLocation: EpisodeStatsLocation | null;
  /** Actual data file by episode, if the files contradict the table; null if they agree. */
  readonly actualFiles: ReadonlyMap<number, string> | null;
  readonly findings: readonly Finding[];
}
