import { z } from 'zod';
import { certificationMetricIds, certificationVerdicts } from '../bounds/index.ts';
import { idSchema, timeSchema } from '../primitives.ts';
import { certificationPolicySchema, metricBoundsSchema } from './certification-policy.ts';
import { actorIdSchema } from './tenancy.ts';
import { targetProfileIdSchema } from './use-cases.ts';

const version = z.int().positive();
const count = z.int().nonnegative();
const verdict = z.enum(certificationVerdicts);

/** A version of a project’s policy, as it was saved. */
export const savedPolicySchema = z
  .strictObject({
    id: idSchema('pol'),
    project_id: idSchema('prj'),
    policy: certificationPolicySchema.extend({ version }),
    created_at: timeSchema,
    created_by: actorIdSchema,
  })
  .meta({ id: 'SavedCertificationPolicy' });
export type SavedPolicy = z.infer<typeof savedPolicySchema>;

/** Differences between two policies. */
export const policyDifferenceSchema = z
  .strictObject({
    /** Version; `null` for the default policy of the target profile. */
    from: version.nullable(),
    to: version.nullable(),
    /** Targets; `null` if both are the same. */
    target: z.strictObject({ from: targetProfileIdSchema, to: targetProfileIdSchema }).nullable(),
    /** Metrics that differ, in the order of the metrics. */
    metrics: z.array(
      z.strictObject({
        metric: z.enum(certificationMetricIds),
        /** Thresholds; `null` if this policy lacks the metric. */
        from: metricBoundsSchema.nullable(),
        to: metricBoundsSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'CertificationPolicyDifference' });
export type PolicyDifference = z.infer<typeof policyDifferenceSchema>;

/** Verdict and coverage under a policy; `coverage` is `null` if the policy requires no metric. */
const policyVerdict = z.strictObject({ verdict, coverage: z.number().min(0).max(1).nullable() });

/** Verdict of a policy that has not been saved. */
export const dryRunSchema = z
  .strictObject({
    /** Verdict under the policy in effect and under the new one. */
    before: policyVerdict,
    after: policyVerdict,
    episodes: count,
    /** Episodes whose verdict would change. */
    changed: count,
    /** First of the changed episodes. */
    changes: z.array(z.strictObject({ episode: z.string(), before: verdict, after: verdict })),
  })
  .meta({ id: 'CertificationDryRun' });
export type DryRun = z.infer<typeof dryRunSchema>;

/** A key that signs, or signed, bundles of the tenant. */
export const signingKeySchema = z
  .strictObject({
    /** SHA-256 of the key in DER: `openssl pkey -pubin -outform DER | sha256sum`. */
    keyid: z.string().regex(/^[0-9a-f]{64}$/),
    algorithm: z.literal('ed25519'),
    /** PEM. */
    public_key: z.string(),
    place: z.enum(['local_file', 'command']),
    valid_from: timeSchema,
    /** Time at which another key replaced it; `null` for the current signing key. */
    valid_until: timeSchema.nullable(),
  })
  .meta({ id: 'SigningKey' });
export type SigningKeyInfo = z.infer<typeof signingKeySchema>;
