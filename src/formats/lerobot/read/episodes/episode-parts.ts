import type { Finding, Frames, UnitOfMeasure } from '#core/episode';
import type { GripperDimension } from '../../metadata/grippers.ts';
import type { EpisodeStats } from '../stats/episode-stats.ts';
import type { ColumnPlan, FilePlan } from './column-plan.ts';
import type { ReadRows } from './row-reader.ts';

/** Data that all episodes with the same columns share. */
export interface SharedParts {
  /** True if the set declares more than one split. */
  readonly splits: boolean;
  readonly plan: FilePlan;
  readonly units: ReadonlyMap<ColumnPlan, UnitOfMeasure>;
  readonly grippers: ReadonlyMap<ColumnPlan, readonly GripperDimension[]>;
}

/** The parts of one episode, to be assembled. */
export interface EpisodeParts {
  readonly rows: ReadRows;
  readonly shared: SharedParts;
  /** Path of the data file in the set. */
  readonly path: string;
  /** First row in the file; null if the file holds only this episode. */
  readonly first_row: number | null;
  /** Row of the episodes table; undefined if the episode is not listed. */
  readonly table_row: number | undefined;
  /**
   * Stored statistics of the episode; undefined if the set has no episode statistics, null if only this episode has
   * none.
   */
  readonly stats: EpisodeStats | null | undefined;
  readonly pictures: ReadonlyMap<string, Frames>;
  readonly findings: readonly Finding[];
}

/** Returns the id of an episode, six digits at least: `episode_000012`. */
export function episodeId(index: number): string {
  return `episode_${String(index).padStart(6, '0')}`;
}
