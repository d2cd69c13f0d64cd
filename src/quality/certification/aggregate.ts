import { significant } from '#core';
import type { CertificationVerdict, CertifiedMetric, MetricBounds, MetricDecision } from '#core/api';
import { metricTitle } from '#core/titles';
import type { Observation } from './metric.ts';

type MetricResult = Pick<CertifiedMetric, 'metric' | 'need' | 'verdict'> & { readonly counts: VerdictCounts };

/** Returns true if the metric bears on the verdict: every metric except the advisory ones. */
export const isCounted = ({ need }: Pick<MetricResult, 'need'>): boolean => need !== 'advisory';

/**
 * Returns the verdict of the whole set with its reason: the worst over the metrics that are not advisory. A `required`
 * metric without evidence makes the set not assessable; an `if_present` metric does so only if some episodes have
 * evidence and too many others lack it.
 */
export function aggregate(metrics: readonly MetricResult[]): {
  readonly verdict: CertificationVerdict;
  readonly reason: string;
} {
  const counted = metrics.filter(isCounted);
  const withVerdict = (verdict: CertificationVerdict) =>
    counted.filter((metric) => metric.verdict === verdict);
  const notReady = withVerdict('not_ready');
  if (notReady.length > 0) return { verdict: 'not_ready', reason: `not ready: ${joinMetricNames(notReady)}` };
  if (counted.every(hasNoEvidence))
    return { verdict: 'not_assessable', reason: 'no counted metric has evidence' };
  const unseen = withVerdict('not_assessable').filter(
    (metric) => metric.need === 'required' || !hasNoEvidence(metric),
  );
  if (unseen.length > 0)
    return { verdict: 'not_assessable', reason: `no evidence for: ${joinMetricNames(unseen)}` };
  const review = withVerdict('review_required');
  if (review.length > 0)
    return { verdict: 'review_required', reason: `review required: ${joinMetricNames(review)}` };
  return {
    verdict: 'certified',
    reason: 'all counted metrics with evidence are within their ideal boundary',
  };
}

/** Sums the episode decisions of all metrics but advisory ones: `decisions` had evidence, `of` counts all. */
export function computeCoverage(metrics: readonly MetricResult[]): {
  readonly decisions: number;
  readonly of: number;
} {
  let decisions = 0;
  let of = 0;
  for (const { counts: seen } of metrics.filter(isCounted)) {
    const assessed = seen.certified + seen.review_required + seen.not_ready;
    decisions += assessed;
    of += assessed + seen.not_assessable;
  }
  return { decisions, of };
}

function hasNoEvidence({ counts: { certified, review_required, not_ready } }: MetricResult): boolean {
  return certified + review_required + not_ready === 0;
}

const joinMetricNames = (metrics: readonly MetricResult[]): string =>
  metrics.map(({ metric }) => metricTitle(metric)).join(', ');

/**
 * Compares one episode's observation with the boundaries. Low confidence gives `review_required` whatever the value.
 */
export function decide(episode: string, observation: Observation, bounds: MetricBounds): MetricDecision {
  if ('not_assessable' in observation)
    return {
      episode,
      applicability: 'not_assessable',
      verdict: 'not_assessable',
      reason: observation.not_assessable,
    };
  const observed = significant(observation.observed);
  return {
    episode,
    applicability: 'applicable',
    verdict: observation.confidence === 'low' ? 'review_required' : compareWithBounds(observed, bounds),
    observed,
    confidence: observation.confidence,
    inputs: observation.inputs,
    provenance: observation.provenance,
    ...(observation.diagnostics === undefined ? {} : { diagnostics: observation.diagnostics }),
  };
}

function compareWithBounds(
  observed: number,
  { direction, ideal, review }: MetricBounds,
): 'certified' | 'review_required' | 'not_ready' {
  const worse = (limit: number) => (direction === 'lower_is_better' ? observed > limit : observed < limit);
  return worse(review) ? 'not_ready' : worse(ideal) ? 'review_required' : 'certified';
}

type VerdictCounts = Record<CertificationVerdict, number>;

/** Returns a count of 0 for each verdict. */
export const createVerdictCounts = (): VerdictCounts => ({
  certified: 0,
  review_required: 0,
  not_ready: 0,
  not_assessable: 0,
});

/**
 * Returns the verdict of a metric over a set with its reason. `allowed_share` (0 to 1) of the episodes may be not ready.
 * Episodes without evidence use up that share too, so that removing evidence never improves a verdict.
 */
export function metricVerdict(
  counts: VerdictCounts,
  allowed_share: number,
): { readonly verdict: CertificationVerdict; readonly reason: string } {
  const { certified, review_required, not_ready, not_assessable } = counts;
  const assessable = certified + review_required + not_ready;
  const total = assessable + not_assessable;
  if (assessable === 0) return { verdict: 'not_assessable', reason: 'no episode has evidence' };
  const basisText = not_assessable === 0 ? episodes(total) : `the ${episodes(assessable)} with evidence`;
  const allowed = (episodes: number) => Math.floor(allowed_share * episodes + 1e-9);
  if (not_ready > allowed(assessable))
    return {
      verdict: 'not_ready',
      reason: `${not_ready} of ${basisText} ${not_ready === 1 ? 'is' : 'are'} beyond the review boundary (${allowed(assessable)} allowed)`,
    };
  if (not_ready + not_assessable > allowed(total))
    return {
      verdict: 'not_assessable',
      reason: `${not_assessable} of ${episodes(total)} without evidence and ${not_ready} beyond the review boundary (${allowed(total)} allowed)`,
    };
  const unresolved = review_required + not_ready + not_assessable;
  if (unresolved > 0)
    return {
      verdict: 'review_required',
      reason: `${unresolved} of ${episodes(total)} beyond the ideal boundary or without evidence`,
    };
  return { verdict: 'certified', reason: `all ${episodes(total)} within the ideal boundary` };
}

const episodes = (count: number): string => `${count} ${count === 1 ? 'episode' : 'episodes'}`;
