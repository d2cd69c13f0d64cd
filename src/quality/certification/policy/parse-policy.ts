import type { z } from 'zod';
import { AssayError } from '#core';
import {
  type CertificationPolicy,
  type CertificationPolicyInput,
  certificationPolicyInputSchema,
  certificationPolicySchema,
} from '#core/api';
import { sealPolicy } from './seal-policy.ts';

/**
 * Parses a handwritten policy, or a saved one with version and hash. Throws `invalid_request` with the errors and their
 * JSON pointers, `hash_mismatch` if a saved policy was changed since.
 */
export function parsePolicy(document: unknown): CertificationPolicy {
  const saved = certificationPolicySchema.safeParse(document);
  if (!saved.success)
    return sealPolicy(requirePolicyInput(certificationPolicyInputSchema.safeParse(document)), null);
  const { target, metrics, version, policy_hash } = saved.data;
  const policy = sealPolicy({ target, metrics }, version);
  if (policy.policy_hash === policy_hash) return policy;
  throw new AssayError(
    'hash_mismatch',
    `the policy hashes to ${policy.policy_hash}, it says ${policy_hash}`,
    {
      advice: 'fetch the policy again, or take version and policy_hash out to make it another policy',
    },
  );
}

function requirePolicyInput(read: z.ZodSafeParseResult<CertificationPolicyInput>): CertificationPolicyInput {
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ path, message }) => ({
    pointer: `/${path.map(String).join('/')}`,
    message,
  }));
  throw new AssayError(
    'invalid_request',
    `the policy is not acceptable: ${errors[0].pointer}: ${errors[0].message}`,
    {
      place: errors[0].pointer,
      advice: 'docs/certification.md shows a policy; assay certify PATH --out DIR writes one',
      details: { errors },
    },
  );
}
