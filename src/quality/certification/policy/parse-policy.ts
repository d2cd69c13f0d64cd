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
    `policy_hash mismatch: the policy says ${policy_hash} but hashes to ${policy.policy_hash}`,
    {
      advice: 'download the policy again, or remove version and policy_hash to create a new policy',
    },
  );
}

function requirePolicyInput(read: z.ZodSafeParseResult<CertificationPolicyInput>): CertificationPolicyInput {
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ path, message }) => ({
    pointer: `/${path.map(String).join('/')}`,
    message,
  }));
  throw new AssayError('invalid_request', `invalid policy: ${errors[0].pointer}: ${errors[0].message}`, {
    place: errors[0].pointer,
    advice: 'see docs/certification.md for an example; assay certify PATH --out DIR writes a policy',
    details: { errors },
  });
}
