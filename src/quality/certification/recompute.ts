import { z } from 'zod';
import { canonicalJson } from '#core';
import type { CertificationReport } from '#core/api';
import { episodeVerdict, judgeValue, summariseDecisions, summariseMetrics } from './aggregate.ts';
import { describeLimits, hashReceipts } from './certifier.ts';
import { metrics as registry } from './metric-registry.ts';

const verdict = z.enum(['certified', 'review_required', 'not_ready', 'not_assessable']);
const direction = z.enum(['lower_is_better', 'higher_is_better']);
const count = z.int().nonnegative();
const evidence = z.strictObject({ decisions: count, of: count, share: z.number().nullable() });

/** Thresholds of a metric, in a policy and repeated in a report. */
const boundsSchema = z.looseObject({
  metric: z.string(),
  need: z.enum(['required', 'if_present', 'advisory']),
  unit: z.string(),
  direction,
  ideal: z.number(),
  review: z.number(),
  allowed_share: z.number(),
  source: z.string(),
});
const boundsMembers = ['need', 'unit', 'direction', 'ideal', 'review', 'allowed_share', 'source'] as const;

const decisionSchema = z.discriminatedUnion('applicability', [
  z.looseObject({
    episode: z.string(),
    applicability: z.literal('applicable'),
    verdict: z.enum(['certified', 'review_required', 'not_ready']),
    observed: z.number(),
    confidence: z.enum(['high', 'medium', 'low']),
  }),
  z.looseObject({
    episode: z.string(),
    applicability: z.literal('not_assessable'),
    verdict: z.literal('not_assessable'),
  }),
]);

const metricSchema = boundsSchema.extend({
  verdict,
  counts: z.strictObject({
    certified: count,
    review_required: count,
    not_ready: count,
    not_assessable: count,
  }),
  observed: z.strictObject({ minimum: z.number(), median: z.number(), maximum: z.number() }).nullable(),
  decisions: z.array(decisionSchema),
});

/** A policy of any version of Assay, as far as reports are recomputed from it. */
export const appliedPolicySchema = z.looseObject({
  schema: z.string(),
  target: z.string(),
  policy_hash: z.string(),
  metrics: z.array(boundsSchema),
});
export type AppliedPolicy = z.infer<typeof appliedPolicySchema>;

const statedReport = {
  project_id: z.string().nullable(),
  policy: z.looseObject({ target: z.string(), policy_hash: z.string() }),
  dataset: z.looseObject({ episodes: count, receipts_sha256: z.string() }),
  verdict,
  coverage: evidence,
  episodes: z.array(z.looseObject({ id: z.string(), receipt: z.string(), verdict })),
  metrics: z.array(metricSchema),
  content_hash: z.string(),
};

/**
 * A report of any version of Assay, as far as it is recomputed. Version 1 had no `evidence`: its `coverage` counted the
 * decisions of all metrics that are not advisory.
 */
export const statedReportSchema = z.discriminatedUnion('schema', [
  z.looseObject({ ...statedReport, schema: z.literal('assay/certification-report/v1') }),
  z.looseObject({ ...statedReport, schema: z.literal('assay/certification-report/v2'), evidence }),
]);
export type StatedReport = z.infer<typeof statedReportSchema>;

/** First value of a report that does not follow from its decisions and its policy. */
export interface ReportFault {
  /** JSON pointer into the report. */
  readonly pointer: string;
  /** Both values, in words. */
  readonly message: string;
}

/** Value of a report with the value that follows from its decisions and policy. */
type DerivedValue = readonly [pointer: string, stated: unknown, computed: unknown];

/**
 * Recomputes verdicts, counts, coverage and hashes of a report from its decisions and the policy, and returns the
 * first value that differs, `null` if all match; reasons and descriptions are ignored. It does not check whether the
 * decisions are true. Reasons and descriptions differ between versions of Assay.
 */
export const findReportFault = (report: StatedReport, policy: AppliedPolicy): ReportFault | null =>
  findDifference(derivedValues(report, policy));

/**
 * Compares a report as `findReportFault` does, and also its reasons, descriptions and limits with the texts of this
 * version of Assay; returns the first difference or `null`. So the page of an imported report shows no text that
 * contradicts its verdict.
 */
export const findImportedReportFault = (
  report: CertificationReport,
  policy: AppliedPolicy,
): ReportFault | null => findReportFault(report, policy) ?? findDifference(derivedTexts(report));

function findDifference(values: Iterable<DerivedValue>): ReportFault | null {
  for (const [pointer, stated, computed] of values) {
    if (stated === computed) continue;
    const [statedJson, computedJson] = [canonicalJson(stated), canonicalJson(computed)];
    if (statedJson === computedJson) continue;
    return {
      pointer,
      message: `${pointer} is ${shorten(statedJson)}, but the decisions and the policy give ${shorten(computedJson)}`,
    };
  }
  return null;
}

const maxTextLength = 300;
const shorten = (text: string): string =>
  text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;

function* derivedValues(report: StatedReport, policy: AppliedPolicy): Generator<DerivedValue> {
  const { dataset, episodes, metrics } = report;
  yield ['/policy/target', report.policy.target, policy.target];
  yield ['/policy/policy_hash', report.policy.policy_hash, policy.policy_hash];
  yield ['/dataset/episodes', dataset.episodes, episodes.length];
  yield ['/dataset/receipts_sha256', dataset.receipts_sha256, hashReceipts(episodes)];
  for (let i = 0; i < Math.max(metrics.length, policy.metrics.length); i++)
    yield [`/metrics/${i}/metric`, metrics.at(i)?.metric ?? null, policy.metrics.at(i)?.metric ?? null];
  for (const [i, bounds] of policy.metrics.entries())
    yield* derivedMetricValues(`/metrics/${i}`, metrics[i], bounds, episodes);
  for (const [i, episode] of episodes.entries())
    yield [`/episodes/${i}/verdict`, episode.verdict, episodeVerdict(metrics, i)];
  const summary = summariseMetrics(metrics);
  yield ['/verdict', report.verdict, summary.verdict];
  if (report.schema === 'assay/certification-report/v1') {
    yield ['/coverage', report.coverage, { ...summary.evidence, share: summary.evidence.share ?? 0 }];
    return;
  }
  yield ['/coverage', report.coverage, summary.coverage];
  yield ['/evidence', report.evidence, summary.evidence];
}

function* derivedMetricValues(
  pointer: string,
  metric: StatedReport['metrics'][number],
  bounds: AppliedPolicy['metrics'][number],
  episodes: StatedReport['episodes'],
): Generator<DerivedValue> {
  for (const member of boundsMembers) yield [`${pointer}/${member}`, metric[member], bounds[member]];
  const { decisions } = metric;
  for (let i = 0; i < Math.max(decisions.length, episodes.length); i++) {
    const decision = decisions.at(i);
    const at = `${pointer}/decisions/${i}`;
    yield [`${at}/episode`, decision?.episode ?? null, episodes.at(i)?.id ?? null];
    if (decision?.applicability === 'applicable')
      yield [`${at}/verdict`, decision.verdict, judgeValue(decision, bounds)];
  }
  const summary = summariseDecisions(decisions, bounds.allowed_share);
  yield [`${pointer}/counts`, metric.counts, summary.counts];
  yield [`${pointer}/observed`, metric.observed, summary.observed];
  yield [`${pointer}/verdict`, metric.verdict, summary.verdict];
}

function* derivedTexts({ metrics, reason, limits }: CertificationReport): Generator<DerivedValue> {
  for (const [i, metric] of metrics.entries()) {
    const definition = registry.get(metric.metric);
    yield [`/metrics/${i}/title`, metric.title, definition?.title ?? null];
    yield [`/metrics/${i}/formula`, metric.formula, definition?.formula ?? null];
    yield [`/metrics/${i}/inputs`, metric.inputs, definition?.inputs ?? null];
    const summary = summariseDecisions(metric.decisions, metric.allowed_share);
    yield [`/metrics/${i}/reason`, metric.reason, summary.reason];
  }
  yield ['/reason', reason, summariseMetrics(metrics).reason];
  yield ['/limits', limits, describeLimits(metrics)];
}
