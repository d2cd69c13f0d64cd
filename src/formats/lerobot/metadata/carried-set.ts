import type { Finding } from '#core/episode';
import type { ReadTable } from '../read/episodes/episodes-v3.ts';
import type { EpisodeStatsPlace } from '../read/stats/episode-stats.ts';
import type { LeRobotSet } from './lerobot-set.ts';

/** What opening a v3 set has read of it, as plain data: another thread opens the set from it. */
export interface CarriedSet {
  readonly parts: Pick<
    LeRobotSet,
    'layout' | 'info' | 'features' | 'tasks' | 'stats' | 'statsPath' | 'cameras' | 'reference' | 'pointers'
  >;
  readonly table: ReadTable;
  readonly episodeStatsPlace: EpisodeStatsPlace | null;
  /** By episode, where the files contradict the table; null where they agree. */
  readonly homes: ReadonlyMap<number, string> | null;
  readonly findings: readonly Finding[];
}
