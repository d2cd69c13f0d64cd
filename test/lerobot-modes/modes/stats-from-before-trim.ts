import { changeStatistics, repool } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

/** 25 rows were cut off since. */
export const statsFromBeforeTrim: Mode = {
  id: 'stats_from_before_trim',
  row: 52,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['episode_stats_stale'],
  least: { 'v2.1': 'blocking', 'v3.0': 'warning' },
  plant: (set, { episode }) => {
    changeStatistics(set, episode, (key, entry) => {
      entry.count = [Number((entry.count as number[])[0]) + 25];
      if (key === 'frame_index') entry.max = [Number((entry.max as number[])[0]) + 25];
      if (key === 'action' || key === 'observation.state') {
        entry.max = (entry.max as number[]).map((value) => value + 2.5);
        entry.min = (entry.min as number[]).map((value) => value - 1.5);
      }
    });
    repool(set);
  },
};
