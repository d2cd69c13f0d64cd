import type { LeRobotDraft } from '../draft/draft.ts';
import type { DraftEpisode } from '../draft/episode.ts';
import { windowNames } from '../draft/read-episodes.ts';

/** What the table of episodes will say of an episode in a column; null where it stays what it is. */
export function episodeValue(draft: LeRobotDraft, episode: DraftEpisode, column: string): unknown {
  const plain: Readonly<Record<string, unknown>> = {
    tasks: episode.tasks,
    length: episode.length,
    dataset_from_index: episode.from,
    dataset_to_index: episode.to,
    'data/chunk_index': episode.chunk,
    'data/file_index': episode.file,
  };
  if (column in plain) return plain[column];
  const window = /^videos\/(.+)\/[a-z_]+$/.exec(column);
  if (window !== null) return windowValue(episode, window[1], column);
  const [, feature, statistic] = /^stats\/(.+)\/(\w+)$/.exec(column) ?? [];
  return draft.statistics.get(episode.index)?.[feature]?.[statistic] ?? null;
}

function windowValue(episode: DraftEpisode, camera: string, column: string): number | null {
  const window = episode.videos.get(camera);
  if (window === undefined) return null;
  const at = windowNames(camera).indexOf(column);
  return [window.chunk, window.file, window.from_s, window.to_s][at] ?? null;
}

/** The type of a column that the table does not have yet. */
export function newColumnType(column: string, value: unknown): string {
  if (column === 'tasks') return 'VARCHAR[]';
  if (column.endsWith('/count')) return 'BIGINT[]';
  if (column.endsWith('_timestamp')) return 'DOUBLE';
  let depth = 0;
  for (let at = value; Array.isArray(at); at = at[0]) depth += 1;
  return depth === 0 ? 'BIGINT' : `DOUBLE${'[]'.repeat(depth)}`;
}
