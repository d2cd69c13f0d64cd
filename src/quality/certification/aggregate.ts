import { significant } from '#core';
import type {
  CertificationReport,
  CertificationVerdict,
  CertifiedMetric,
  MetricBounds,
  MetricDecision,
} from '#core/api';
import { metricTitle } from '#core/titles';
import type { Observation } from './metric.ts';

/** Result of a metric, as far as the verdict of the report depends on it. */
type MetricResult = Pick<CertifiedMetric, 'need' | 'verdict'> & {
  readonly metric: string;
  readonly counts: VerdictCounts;
};

/** Returns true if the metric can influence the verdict, which is so for all except advisory ones. */
export const isCounted = ({ need }: Pick<MetricResult, 'need'>): boolean => need !== 'advisory';

/**
 * Returns the verdict of the whole set with its reason: the worst over the metrics that are not advisory. A `required`
 * metric without evidence makes the set not assessable; an `if_present` metric does so only if some episodes have
 * evidence and too many others lack it.
 */
function aggregate(metrics: readonly MetricResult[]): {
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
    reason: 'all metrics that count towards the verdict and have evidence meet their ideal thresholds',
  };
}

/** Counts the episode decisions of some metrics: `decisions` had evidence, `of` counts all; `share` is `null` without any. */
function countEvidence(metrics: readonly MetricResult[]): CertificationReport['coverage'] {
  let decisions = 0;
  let of = 0;
  for (const { counts } of metrics) {
    const assessed = counts.certified + counts.review_required + counts.not_ready;
    decisions += assessed;
    of += assessed + counts.not_assessable;
  }
  return { decisions, of, share: of === 0 ? null : significant(decisions / of) };
}

function hasNoEvidence({ counts: { certified, review_required, not_ready } }: MetricResult): boolean {
  return certified + review_required + not_ready === 0;
}

const joinMetricNames = (metrics: readonly MetricResult[]): string =>
  metrics.map(({ metric }) => metricTitle(metric)).join(', ');

/**
 * Compares one episode's observation of a metric with its thresholds and returns the decision as `judgeValue` does,
 * or `not_assessable` with the reason if there is no value.
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
  const { confidence } = observation;
  return {
    episode,
    applicability: 'applicable',
    verdict: judgeValue({ observed, confidence }, bounds),
    observed,
    confidence,
    inputs: observation.inputs,
    provenance: observation.provenance,
    ...(observation.diagnostics === undefined ? {} : { diagnostics: observation.diagnostics }),
  };
}

type AssessedDecision = Extract<MetricDecision, { readonly applicability: 'applicable' }>;

/**
 * Returns the verdict of an observed value: `review_required` if the confidence is low, else `not_ready` beyond the
 * review threshold, `review_required` beyond the ideal one, `certified` otherwise.
 */
export function judgeValue(
  { observed, confidence }: Pick<AssessedDecision, 'observed' | 'confidence'>,
  { direction, ideal, review }: Pick<MetricBounds, 'direction' | 'ideal' | 'review'>,
): AssessedDecision['verdict'] {
  if (confidence === 'low') return 'review_required';
  const worse = (limit: number) => (direction === 'lower_is_better' ? observed > limit : observed < limit);
  return worse(review) ? 'not_ready' : worse(ideal) ? 'review_required' : 'certified';
}

type VerdictCounts = Record<CertificationVerdict, number>;

/** Returns a count of 0 for each verdict. */
const createVerdictCounts = (): VerdictCounts => ({
  certified: 0,
  review_required: 0,
  not_ready: 0,
  not_assessable: 0,
});

/**
 * Returns the verdict of a metric over a set with its reason. `allowed_share` (0 to 1) of the episodes may be not ready.
 * Episodes without evidence use up that share too, so that removing evidence never improves a verdict.
 */
function metricVerdict(
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
      reason: `${not_ready} of ${basisText} ${not_ready === 1 ? 'is' : 'are'} beyond the review threshold (${allowed(assessable)} allowed)`,
    };
  if (not_ready + not_assessable > allowed(total))
    return {
      verdict: 'not_assessable',
      reason: `${not_assessable} of ${episodes(total)} without evidence and ${not_ready} beyond the review threshold (${allowed(total)} allowed)`,
    };
  const unresolved = review_required + not_ready + not_assessable;
  if (unresolved > 0)
    return {
      verdict: 'review_required',
      reason: `${unresolved} of ${episodes(total)} beyond the ideal threshold or without evidence`,
    };
  return {
    verdict: 'certified',
    reason: `${total === 1 ? 'the only episode meets' : `all ${episodes(total)} meet`} the ideal threshold`,
  };
}

const episodes = (count: number): string => `${count} ${count === 1 ? 'episode' : 'episodes'}`;

/** Decision of an episode, as far as the verdict of its metric depends on it. */
type DecisionOutcome =
  | Pick<AssessedDecision, 'applicability' | 'verdict' | 'observed'>
  | Pick<Exclude<MetricDecision, AssessedDecision>, 'applicability' | 'verdict'>;

/** Values of a metric that follow from its decisions. */
type MetricSummary = Pick<CertifiedMetric, 'verdict' | 'reason' | 'counts' | 'observed'>;

/**
 * Computes verdict, reason, counts and range of a metric from its decisions, one per episode; a share `allowed_share`
 * (0 to 1) of the episodes may be not ready or without evidence. The range is `null` if no episode has a value.
 */
export function summariseDecisions(
  decisions: readonly DecisionOutcome[],
  allowed_share: number,
): MetricSummary {
  const counts = createVerdictCounts();
  const values: number[] = [];
  for (const decision of decisions) {
    counts[decision.verdict]++;
    if (decision.applicability === 'applicable') values.push(decision.observed);
  }
  values.sort((a, b) => a - b);
  const observed =
    values.length === 0
      ? null
      : { minimum: values[0], median: values[values.length >> 1], maximum: values[values.length - 1] };
  return { ...metricVerdict(counts, allowed_share), counts, observed };
}

/** Decided metric, as far as the verdict of the report depends on it. */
type DecidedMetric = MetricResult & { readonly decisions: readonly Pick<MetricDecision, 'verdict'>[] };

/**
 * Computes the verdict of a report, its reason, and how many decisions have evidence: `coverage` of the required
 * metrics, `evidence` of all that are not advisory.
 */
export function summariseMetrics(
  metrics: readonly DecidedMetric[],
): Pick<CertificationReport, 'verdict' | 'reason' | 'coverage' | 'evidence'> {
  const required = metrics.filter(({ need }) => need === 'required');
  return {
    ...aggregate(metrics),
    coverage: countEvidence(required),
    evidence: countEvidence(metrics.filter(isCounted)),
  };
}

/** Returns the worst verdict of an episode over the non-advisory metrics; `not_assessable` if none has evidence. */
export function episodeVerdict(
  metrics: readonly DecidedMetric[],
  episodeIndex: number,
): CertificationVerdict {
  const verdicts = metrics.filter(isCounted).map(({ decisions }) => decisions[episodeIndex].verdict);
  if (verdicts.every((verdict) => verdict === 'not_assessable')) return 'not_assessable';
  if (verdicts.includes('not_ready')) return 'not_ready';
  return verdicts.includes('review_required') ? 'review_required' : 'certified';
}
