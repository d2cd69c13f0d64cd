import { z } from 'zod';
import { certificationMetricIds, certificationVerdicts } from '../bounds/index.ts';
import { jsonSchema } from '../primitives.ts';
import { metricBoundsSchema } from './certification-policy.ts';
import { targetProfileIdSchema } from './use-cases.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const verdict = z.enum(certificationVerdicts);
const evidenceJson = z.record(z.string(), jsonSchema);

const assessedDecision = z.strictObject({
  episode: z.string(),
  applicability: z.literal('applicable'),
  verdict: z.enum(['certified', 'review_required', 'not_ready']),
  observed: z.number(),
  /**
   * `high`: all data was measured. `medium`: a sample was measured, or an indirect sign. `low`: the episode needs
   * review.
   */
  confidence: z.enum(['high', 'medium', 'low']),
  /** Inputs that the observed value was computed from. */
  inputs: evidenceJson,
  /** Origin of the inputs. */
  provenance: z.string(),
  /** Diagnostics to show beside the number: windows that disagree, peaks of a correlation. */
  diagnostics: evidenceJson.optional(),
});
const unassessedDecision = z.strictObject({
  episode: z.string(),
  applicability: z.literal('not_assessable'),
  verdict: z.literal('not_assessable'),
  reason: z.string(),
});

/** Decision of one metric for one episode. */
const metricDecisionSchema = z
  .discriminatedUnion('applicability', [assessedDecision, unassessedDecision])
  .meta({ id: 'CertificationDecision' });

const counts = z.strictObject({
  certified: count,
  review_required: count,
  not_ready: count,
  not_assessable: count,
});

/** Decisions that had evidence, of all of them. `share` is `null` if there are none. */
const evidenceShare = z.strictObject({ decisions: count, of: count, share: share.nullable() });

const metricSchema = z
  .strictObject({
    ...metricBoundsSchema.shape,
    title: z.string(),
    /** Formula to recompute the value. */
    formula: z.string(),
    /** Description of the formula's inputs. */
    inputs: z.string(),
    verdict,
    /** Reason in one sentence. */
    reason: z.string(),
    counts,
    /** Range over the episodes that have evidence; `null` if none has. */
    observed: z.strictObject({ minimum: z.number(), median: z.number(), maximum: z.number() }).nullable(),
    /** Decisions in the order of `episodes`. */
    decisions: z.array(metricDecisionSchema),
    /** Diagnostics of the whole set. */
    diagnostics: z.array(z.string()),
  })
  .meta({ id: 'CertificationMetric' });

export const certificationReportSchema = z
  .strictObject({
    schema: z.literal('assay/certification-report/v2'),
    engine: z.strictObject({ name: z.literal('assay'), version: z.string() }),
    canonicalisation: z.literal('RFC8785'),
    /** Project; `null` if it was made without a service. */
    project_id: z.string().nullable(),
    policy: z.strictObject({
      target: targetProfileIdSchema,
      version: z.int().positive().nullable(),
      policy_hash: digest,
    }),
    dataset: z.strictObject({
      formats: z.array(z.string()),
      episodes: count,
      duration_s: z.number(),
      /** SHA-256 of the lines `<sha256>  <path>` of all files of the recordings, sorted; null: a file was not hashed. */
      sources_sha256: digest.nullable(),
      /** SHA-256 of the content hashes of the receipts, one a line, in the order of `episodes`. */
      receipts_sha256: digest,
    }),
    verdict,
    reason: z.string(),
    /** Decisions of the required metrics that had evidence. `share` is `null` if no metric is required. */
    coverage: evidenceShare,
    /** Decisions of all counted metrics (required and if_present) that had evidence. */
    evidence: evidenceShare,
    /** Episodes in the order of the recordings. */
    episodes: z.array(
      z.strictObject({
        id: z.string(),
        index: z.int(),
        receipt: digest,
        /** Worst verdict over the metrics that are not advisory. */
        verdict,
      }),
    ),
    metrics: z.array(metricSchema),
    limits: z.array(z.string()),
    content_hash: digest,
  })
  .meta({ id: 'CertificationReport' });

/** A report without its decisions and episodes, for programs and screens that show the result. */
export const certificationSummarySchema = z
  .strictObject({
    ...certificationReportSchema.omit({ episodes: true }).shape,
    schema: z.literal('assay/certification-report-summary/v1'),
    /** Number of episodes with each verdict. */
    episode_counts: counts,
    metrics: z.array(metricSchema.omit({ decisions: true }).meta({ id: 'CertificationMetricSummary' })),
    /** Content hash of the complete report. */
    content_hash: digest,
  })
  .meta({ id: 'CertificationReportSummary' });

const metricId = { metric: z.enum(certificationMetricIds) };

/** Decision with its metric, as an item of a list. */
export const listedDecisionSchema = z
  .discriminatedUnion('applicability', [
    assessedDecision.extend(metricId),
    unassessedDecision.extend(metricId),
  ])
  .meta({ id: 'CertificationListedDecision' });

export type CertificationSummary = z.infer<typeof certificationSummarySchema>;
export type ListedDecision = z.infer<typeof listedDecisionSchema>;
export type CertificationReport = z.infer<typeof certificationReportSchema>;
export type CertifiedMetric = z.infer<typeof metricSchema>;
export type MetricDecision = z.infer<typeof metricDecisionSchema>;
