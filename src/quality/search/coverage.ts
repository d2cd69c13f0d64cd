import type { Coverage } from './indexed-episode.ts';

/** `reasons`: one for each episode that could not be ranked. */
export function coverageOf(ranked: number, reasons: readonly string[]): Coverage {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const not_ranked = [...counts]
    .map(([reason, episodes]) => ({ reason, episodes }))
    .sort((one, other) => other.episodes - one.episodes || (one.reason < other.reason ? -1 : 1));
  return { matched: ranked + reasons.length, ranked, not_ranked };
}
