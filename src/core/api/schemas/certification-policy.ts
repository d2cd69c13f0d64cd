import { z } from 'zod';
import { certificationMetricIds } from '../bounds/index.ts';
import { targetProfileIdSchema } from './use-cases.ts';

/** SHA-256, lower-case hexadecimal. */
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const certificationMetricSchema = z.enum(certificationMetricIds);

/**
 * Need of a metric in a policy. `required`: every episode must have evidence. `if_present`: if any episode has
 * evidence, all must have it; if none has, only the coverage is lower. `advisory`: measured and shown, without
 * influence on the verdict.
 */
const need = z.enum(['required', 'if_present', 'advisory']);

export const metricBoundsSchema = z
  .strictObject({
    metric: certificationMetricSchema,
    need,
    /** Unit of the metric, repeated so that a threshold cannot be misread. */
    unit: z.string().max(40),
    direction: z.enum(['lower_is_better', 'higher_is_better']),
    /** Ideal threshold: an episode up to this value is certified. */
    ideal: z.number(),
    /** Review threshold: an episode up to this value needs review, beyond it the episode is not ready. */
    review: z.number(),
    /** Share of the episodes that may miss the review threshold or have no evidence before the metric fails for the whole dataset. */
    allowed_share: z.number().min(0).max(1),
    /** Source of the thresholds. */
    source: z.string().max(500),
  })
  .meta({ id: 'CertificationBounds' });

/** Input of a policy. */
export const certificationPolicyInputSchema = z
  .strictObject({
    target: targetProfileIdSchema,
    metrics: z.array(metricBoundsSchema).min(1).max(certificationMetricIds.length),
  })
  .meta({ id: 'CertificationPolicyInput' });

export const certificationPolicySchema = z
  .strictObject({
    schema: z.literal('assay/certification-policy/v1'),
    ...certificationPolicyInputSchema.shape,
    /** Version number in the service; `null` if the policy was not saved. */
    version: z.int().positive().nullable(),
    /** SHA-256 of the canonical JSON (RFC 8785) of all but version and hash. */
    policy_hash: digest,
  })
  .meta({ id: 'CertificationPolicy' });

export type MetricBounds = z.infer<typeof metricBoundsSchema>;
export type CertificationPolicyInput = z.infer<typeof certificationPolicyInputSchema>;
export type CertificationPolicy = z.infer<typeof certificationPolicySchema>;
