import type { SourceTree } from '#io/sources';
import { lineStats } from './episode-stats-v2.ts';
import { columnStats, type StatsColumns } from './episode-stats-v3.ts';
import type { ReadEpisodeStats } from './stats-entry.ts';

/** Where the statistics of single episodes lie. Plain data. */
export type EpisodeStatsPlace =
  | ({ readonly kind: 'columns' } & StatsColumns)
  | { readonly kind: 'lines'; readonly path: string };

/** `features`: keys of the features that there are rows of. */
export function episodeStatsReader(
  tree: SourceTree,
  place: EpisodeStatsPlace,
  features: readonly string[],
): ReadEpisodeStats {
  return place.kind === 'columns' ? columnStats(tree, place) : lineStats(tree, place.path, features);
}
