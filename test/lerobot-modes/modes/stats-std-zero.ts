import { changeStatistics } from '../edit.ts';
import type { Mode } from '../mode.ts';

const withJoint = (values: unknown, to: number): number[] =>
  (values as number[]).map((value, dim) => (dim === 2 ? to : value));

/** A joint that moves has no deviation; of v2.1 the pooled one is 0 only where the means agree as well. */
export const statsStdZero: Mode = {
  id: 'stats_std_zero',
  row: 56,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['stats_std_zero', 'stats_inconsistent', 'episode_stats_stale', 'set_stats_wrong'],
  least: 'error',
  plant: (set) => {
    set.recording.episodes.forEach((_, episode) => {
      changeStatistics(set, episode, (key, entry) => {
        if (key !== 'action') return;
        entry.std = withJoint(entry.std, 0);
        if (set.version === 'v2.1') entry.mean = withJoint(entry.mean, 12);
      });
    });
    if (set.stats !== null) set.stats.action.std = withJoint(set.stats.action.std, 0);
  },
};
