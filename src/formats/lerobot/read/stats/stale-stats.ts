import { enumerate, significant } from '#core';
import type { Finding } from '#core/episode';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { lerobotBreach } from '../../rules/contract.ts';
import type { EpisodeParts } from '../episodes/episode-parts.ts';
import { rethrowFault } from '../episodes/unreadable.ts';
import { type Disagreement, disagreement } from './compare-stats.ts';
import { episodeStatsPath } from './stats.ts';
import type { StatsOfEpisodes } from './stats-entry.ts';

/** Statistics of some episodes; null where the set has none of single episodes, or none of them can be read. */
export async function statsOf(set: LeRobotSet, episodes: readonly number[]): Promise<StatsOfEpisodes | null> {
  if (set.episodeStats === null || episodes.length === 0) return null;
  let [first, last] = [episodes[0], episodes[0]];
  for (const episode of episodes) {
    if (episode < first) first = episode;
    if (episode > last) last = episode;
  }
  return set.episodeStats(first, last).catch((thrown: unknown) => {
    rethrowFault(thrown);
    return null;
  });
}

/** What the metadata says of an episode's statistics against its rows. */
export function staleStats(set: LeRobotSet, { rows, stats, table_row }: EpisodeParts): Finding[] {
  if (stats === undefined) return [];
  const { layout, episodes } = set;
  const path = layout === 'v2' ? episodeStatsPath : (episodes.files[0] ?? 'meta/episodes');
  const { episode } = rows.numbering;
  if (stats === null) {
    // An episode that no table lists is reported as unlisted.
    if (table_row === undefined) return [];
    return [
      lerobotBreach(layout, 'episode_stats_missing', path, `${path} has no statistics of episode ${episode}`),
    ];
  }
  const findings: Finding[] = [];
  if (stats.malformed.length > 0) {
    const message = `statistics of episode ${episode}: ${enumerate(stats.malformed, 4)}`;
    findings.push(lerobotBreach(layout, 'episode_stats_malformed', path, message));
  }
  const off = rows.columns.flatMap(({ plan, values, dims }) => {
    const entry = stats.entries.get(plan.feature.key);
    const wrong = entry === undefined ? null : disagreement(values, dims, entry);
    return wrong === null ? [] : [{ key: plan.feature.key, ...wrong }];
  });
  if (off.length === 0) return findings;
  const keys = off.map(({ key }) => key);
  findings.push(
    lerobotBreach(
      layout,
      'episode_stats_stale',
      path,
      `statistics of episode ${episode} are not those of its rows: ${inWords(off[0])}${keys.length > 1 ? `; also ${enumerate(keys.slice(1), 4)}` : ''}`,
      { features: keys },
    ),
  );
  return findings;
}

function inWords({
  key,
  statistic,
  dimension,
  declared,
  found,
}: Disagreement & { readonly key: string }): string {
  if (statistic === 'count') return `${key} counts ${declared} rows where there are ${found}`;
  if (statistic === 'dimensions') return `${key} has ${declared} numbers where a row has ${found}`;
  return `${statistic} of ${key} dimension ${dimension} is ${significant(declared)}, its rows give ${significant(found)}`;
}
