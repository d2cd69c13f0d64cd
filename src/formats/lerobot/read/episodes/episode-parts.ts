import type { Finding, Frames, UnitOfMeasure } from '#core/episode';
import type { GripperDimension } from '../../metadata/grippers.ts';
import type { EpisodeStats } from '../stats/stats-entry.ts';
import type { ColumnPlan, FilePlan } from './column-plan.ts';
import type { ReadRows } from './row-reader.ts';

/** What all episodes with the same columns share, worked out once. */
export interface SharedParts {
  /** The set declares more than one split. */
  readonly splits: boolean;
  readonly plan: FilePlan;
  readonly units: ReadonlyMap<ColumnPlan, UnitOfMeasure>;
  readonly grippers: ReadonlyMap<ColumnPlan, readonly GripperDimension[]>;
}

/** What was read of one episode, to be put together. */
export interface EpisodeParts {
  readonly rows: ReadRows;
  readonly shared: SharedParts;
  /** Data file, relative to the set. */
  readonly path: string;
  /** First row in that file where it holds several episodes. */
  readonly first_row: number | null;
  /** Row of the episodes table; undefined where the table does not list the episode. */
  readonly table_row: number | undefined;
  /** Its statistics by the metadata; undefined where the set has none of single episodes, null where of others only. */
  readonly stats: EpisodeStats | null | undefined;
  readonly pictures: ReadonlyMap<string, Frames>;
  readonly findings: readonly Finding[];
}

export function episodeId(index: number): string {
  return `episode_${String(index).padStart(6, '0')}`;
}
