import type { CertificationVerdict, CertifiedMetric } from '#core/api';
import type { VerdictCounts } from './decide.ts';

type Judged = Pick<CertifiedMetric, 'metric' | 'need' | 'verdict'> & { readonly counts: VerdictCounts };

/** Metrics that bear on the verdict: all but the advisory ones. */
export const counts = ({ need }: Pick<Judged, 'need'>): boolean => need !== 'advisory';

/**
 * The verdict of the whole set. A required metric without evidence leaves it not assessable; one that is wanted where it
 * is present does so only where some episodes have evidence and too many others lack it.
 */
export function aggregate(metrics: readonly Judged[]): {
  readonly verdict: CertificationVerdict;
  readonly reason: string;
} {
  const counted = metrics.filter(counts);
  const that = (verdict: CertificationVerdict) => counted.filter((metric) => metric.verdict === verdict);
  const notReady = that('not_ready');
  if (notReady.length > 0) return { verdict: 'not_ready', reason: `not ready: ${namesOf(notReady)}` };
  if (counted.every(isUnseen))
    return { verdict: 'not_assessable', reason: 'no metric that counts has evidence' };
  const unseen = that('not_assessable').filter((metric) => metric.need === 'required' || !isUnseen(metric));
  if (unseen.length > 0)
    return { verdict: 'not_assessable', reason: `evidence is lacking for ${namesOf(unseen)}` };
  const review = that('review_required');
  if (review.length > 0) return { verdict: 'review_required', reason: `for review: ${namesOf(review)}` };
  return {
    verdict: 'certified',
    reason: 'every metric that counts and has evidence lies within its ideal boundary',
  };
}

/** Share of the decisions that count which had evidence. */
export function coverageOf(metrics: readonly Judged[]): {
  readonly decisions: number;
  readonly of: number;
} {
  let decisions = 0;
  let of = 0;
  for (const { counts: seen } of metrics.filter(counts)) {
    const assessed = seen.certified + seen.review_required + seen.not_ready;
    decisions += assessed;
    of += assessed + seen.not_assessable;
  }
  return { decisions, of };
}

function isUnseen({ counts: { certified, review_required, not_ready } }: Judged): boolean {
  return certified + review_required + not_ready === 0;
}

const namesOf = (metrics: readonly Judged[]): string => metrics.map(({ metric }) => metric).join(', ');
