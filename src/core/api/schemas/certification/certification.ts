import { z } from 'zod';
import { certificationMetricIds, certificationVerdicts } from '../../bounds/certification-metrics.ts';
import { idSchema, timeSchema } from '../../primitives.ts';
import { actorIdSchema } from '../tenancy.ts';
import { targetProfileIdSchema } from '../use-cases.ts';
import { certificationPolicySchema, metricBoundsSchema } from './policy.ts';

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

/** What two policies differ in. */
export const policyDifferenceSchema = z
  .strictObject({
    /** Null: the default policy of the target profile, which nobody has saved. */
    from: version.nullable(),
    to: version.nullable(),
    /** Null: both have the same. */
    target: z.strictObject({ from: targetProfileIdSchema, to: targetProfileIdSchema }).nullable(),
    /** In the order of the metrics; those that are the same are left out. */
    metrics: z.array(
      z.strictObject({
        metric: z.enum(certificationMetricIds),
        /** Null: this policy does not name it. */
        from: metricBoundsSchema.nullable(),
        to: metricBoundsSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'CertificationPolicyDifference' });
export type PolicyDifference = z.infer<typeof policyDifferenceSchema>;

const held = z.strictObject({ verdict, coverage: z.number().min(0).max(1) });

/** What a policy would say that nobody has saved. */
export const dryRunSchema = z
  .strictObject({
    /** Under the policy in effect, and under the one that is tried. */
    before: held,
    after: held,
    episodes: count,
    /** Episodes whose verdict would change. */
    changed: count,
    /** The first of these. */
    changes: z.array(z.strictObject({ episode: z.string(), before: verdict, after: verdict })),
  })
  .meta({ id: 'CertificationDryRun' });
export type DryRun = z.infer<typeof dryRunSchema>;

/** A key that bundles of the tenant are, or were, signed by. */
export const signingKeySchema = z
  .strictObject({
    /** SHA-256 of the key in DER: `openssl pkey -pubin -outform DER | sha256sum`. */
    keyid: z.string().regex(/^[0-9a-f]{64}$/),
    algorithm: z.literal('ed25519'),
    /** PEM. */
    public_key: z.string(),
    place: z.enum(['local_file', 'command']),
    valid_from: timeSchema,
    /** When another took its place; null: it signs. */
    valid_until: timeSchema.nullable(),
  })
  .meta({ id: 'SigningKey' });
export type SigningKeyInfo = z.infer<typeof signingKeySchema>;
