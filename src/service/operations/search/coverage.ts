import type { SearchCoverage, ServedRanking } from '#core/api';
import { descriptors } from '#quality/search';
import type { DescribedCount, Ranked, Ranking } from '#store';

/** How many pass and can be ranked, and why the others cannot. */
export function coverageOf(ranking: Ranking, { matched, ranked, described }: Ranked): SearchCoverage {
  if (ranking.by === 'age' || matched === 0) return { matched, ranked: matched, not_ranked: [] };
  const counts = new Map<string, number>();
  for (const row of described) {
    const reason = reasonOf(row, ranking);
    counts.set(reason, (counts.get(reason) ?? 0) + row.episodes);
  }
  const told = [...counts.values()].reduce((sum, episodes) => sum + episodes, 0);
  // Runs may write between two counts.
  const rest = Math.max(0, matched - ranked - told);
  if (rest > 0) counts.set(restOf(ranking), rest);
  const not_ranked = [...counts].map(([reason, episodes]) => ({ reason, episodes }));
  not_ranked.sort((one, other) => other.episodes - one.episodes || (one.reason < other.reason ? -1 : 1));
  return { matched, ranked, not_ranked };
}

function reasonOf({ version, layout, reason }: DescribedCount, ranking: Ranking): string {
  if (reason !== null) return reason;
  if (ranking.by === 'like' && version !== ranking.version)
    return `it was described by version ${version}; run its source again`;
  return `its numbers are of another layout (${layout})`;
}

function restOf(ranking: Ranking): string {
  if (ranking.by === 'text') return 'none of the words is in its task, its captions or its dense text';
  const short = ranking.by === 'like' && ranking.moments ? 'it is too short to have moments, or ' : '';
  return `${short}no run has described it for search yet; run its source again`;
}

/** What a ranking is called; null where nothing is ranked. */
export function rankedBy(
  ranking: Ranking,
  { moment, exact }: Pick<ServedRanking, 'moment' | 'exact'>,
): ServedRanking | null {
  if (ranking.by === 'age') return null;
  if (ranking.by === 'text')
    return {
      id: 'words',
      version: 2,
      says: 'the words that task, captions and dense text share with the text (ts_rank of PostgreSQL). Words, not meaning.',
      exact: true,
      moment: null,
    };
  const { descriptor, version } = ranking;
  const says = descriptors.get(descriptor)?.says ?? '';
  return { id: descriptor, version, says, exact, moment };
}

/** As answered, 0 to 1, of what the store gives: the less the better. */
export function scoreOf(ranking: Ranking, far: number): number | null {
  if (ranking.by === 'age') return null;
  const score = ranking.by === 'text' ? -far : (1 - far) / 2;
  return Math.round(Math.min(1, Math.max(0, score)) * 1e6) / 1e6;
}
