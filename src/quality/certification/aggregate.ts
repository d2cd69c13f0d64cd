import { significant } from '#core';
import type { CertificationVerdict, CertifiedMetric, MetricBounds, MetricDecision } from '#core/api';
import type { Observation } from './metric.ts';

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

/** Holds one episode's observation against the boundaries. Weak evidence stays for review whatever its value. */
export function decide(episode: string, seen: Observation, bounds: MetricBounds): MetricDecision {
  if ('not_assessable' in seen)
    return {
      episode,
      applicability: 'not_assessable',
      verdict: 'not_assessable',
      reason: seen.not_assessable,
    };
  const observed = significant(seen.observed);
  return {
    episode,
    applicability: 'applicable',
    verdict: seen.confidence === 'low' ? 'review_required' : within(observed, bounds),
    observed,
    confidence: seen.confidence,
    inputs: seen.inputs,
    provenance: seen.provenance,
    ...(seen.diagnostics === undefined ? {} : { diagnostics: seen.diagnostics }),
  };
}

function within(
  observed: number,
  { direction, ideal, review }: MetricBounds,
): 'certified' | 'review_required' | 'not_ready' {
  const worse = (limit: number) => (direction === 'lower_is_better' ? observed > limit : observed < limit);
  return worse(review) ? 'not_ready' : worse(ideal) ? 'review_required' : 'certified';
}

type VerdictCounts = Record<CertificationVerdict, number>;

export const noCounts = (): VerdictCounts => ({
  certified: 0,
  review_required: 0,
  not_ready: 0,
  not_assessable: 0,
});

/**
 * The verdict of a metric over a set. What could not be seen is held against the allowed share as what is not ready is,
 * so that taking evidence away never betters a verdict.
 */
export function metricVerdict(
  counts: VerdictCounts,
  allowed_share: number,
): { readonly verdict: CertificationVerdict; readonly reason: string } {
  const { certified, review_required, not_ready, not_assessable } = counts;
  const seen = certified + review_required + not_ready;
  const all = seen + not_assessable;
  if (seen === 0) return { verdict: 'not_assessable', reason: 'no episode has evidence' };
  const of = not_assessable === 0 ? episodes(all) : `the ${episodes(seen)} with evidence`;
  const allowed = (episodes: number) => Math.floor(allowed_share * episodes + 1e-9);
  if (not_ready > allowed(seen))
    return {
      verdict: 'not_ready',
      reason: `${not_ready} of ${of} lie beyond the review boundary, ${allowed(seen)} may`,
    };
  if (not_ready + not_assessable > allowed(all))
    return {
      verdict: 'not_assessable',
      reason: `${not_assessable} of ${episodes(all)} lack evidence and ${not_ready} lie beyond the review boundary, ${allowed(all)} may`,
    };
  const open = review_required + not_ready + not_assessable;
  if (open > 0)
    return {
      verdict: 'review_required',
      reason: `${open} of ${episodes(all)} lie beyond the ideal boundary or lack evidence`,
    };
  return { verdict: 'certified', reason: `all ${all} within the ideal boundary` };
}

const episodes = (count: number): string => `${count} ${count === 1 ? 'episode' : 'episodes'}`;
