import { worstFirst } from '../../steps/judge/verdict.ts';
import type { AssessmentResult } from '../result/result.ts';

/** A report is to stay below this, receipts not counted. */
const reportBytes = 30e6;
/** Of an episode's numbers and its receipt, packed. */
const episodeBytes = 5500;
/** Pictures that any report may hold. */
const leastBytes = 4e6;

/**
 * Ids of the episodes whose pictures the report shows, those that need looking at most; null: of all, since there is
 * room for them.
 */
export function picturedEpisodes({
  verdicts,
  pictures,
}: Pick<AssessmentResult, 'verdicts' | 'pictures'>): ReadonlySet<string> | null {
  const room = Math.max(leastBytes, reportBytes - episodeBytes * verdicts.length);
  if (pictures <= room) return null;
  const episodes = Math.floor((room / pictures) * verdicts.length);
  return new Set(
    verdicts
      .toSorted(worstFirst)
      .slice(0, episodes)
      .map(({ id }) => id),
  );
}
