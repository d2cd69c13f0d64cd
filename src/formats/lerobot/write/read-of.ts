import type { KeptEpisode } from './kept-episode.ts';
import { quoted } from './sql.ts';

/** The rows of the files that episodes of one set lie in, and of few others, as SQL has a table. */
export function readOf(episodes: readonly KeptEpisode[]): string {
  const list = [...new Set(episodes.map(({ data }) => data))].map(quoted).join(', ');
  const least = episodes.reduce((min, one) => Math.min(min, one.source_index), Number.POSITIVE_INFINITY);
  const most = episodes.reduce((max, one) => Math.max(max, one.source_index), 0);
  return `(SELECT * FROM read_parquet([${list}], union_by_name = true) WHERE episode_index BETWEEN ${least} AND ${most})`;
}
