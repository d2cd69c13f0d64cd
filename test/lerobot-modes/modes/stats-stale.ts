import { changeStatistics, repool } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** Statistics of an older take under this episode. */
export const statsStale: Mode = {
  id: 'stats_stale',
  row: 52,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['episode_stats_stale'],
  least: { 'v2.1': 'blocking', 'v3.0': 'warning' },
  pair: true,
  plant: (set, { episode, other }) => {
    const older = new Map<string, object>();
    changeStatistics(set, other, (key, entry) => older.set(key, { ...entry }));
    changeStatistics(set, episode, (key, entry) => {
      if (key === 'action' || key === 'observation.state') Object.assign(entry, older.get(key));
    });
    repool(set);
  },
};
