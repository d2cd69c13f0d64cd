import type { FeatureStatistics } from '../aggregate-statistics.ts';
import { poolStatistics } from '../statistics.ts';
import type { TaskRows } from './copy-data.ts';
import type { KeptEpisode } from './kept-episode.ts';

/** Statistics of the columns that count, which LeRobot keeps beside those of signals. */
export function countStatistics(
  { index, rows, from_row }: KeptEpisode,
  tasks: readonly TaskRows[],
  rate_hz: number,
): Record<string, FeatureStatistics> {
  const of = (value: (row: number) => number) => ({
    ...poolStatistics([Float64Array.from({ length: rows }, (_, row) => value(row))], 1),
  });
  const taskOfRow = tasks.flatMap(([task, count]) => new Array<number>(count).fill(task));
  return {
    timestamp: of((row) => row / rate_hz),
    frame_index: of((row) => row),
    episode_index: of(() => index),
    index: of((row) => from_row + row),
    task_index: of((row) => taskOfRow[row] ?? 0),
  };
}
