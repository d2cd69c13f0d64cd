import { canonicalJson, sha256 } from '#core';
import type { CertificationPolicy, CertificationPolicyInput } from '#core/api';
import { demandSoundPolicy } from './sound-policy.ts';

const schema = 'assay/certification-policy/v1';

/** Gives a policy its version and hash; metrics are put in the order of the registry, so that equal policies hash alike. */
export function sealPolicy(input: CertificationPolicyInput, version: number | null): CertificationPolicy {
  const metrics = demandSoundPolicy(input);
  const body = { schema, target: input.target, metrics } as const;
  return { ...body, version, policy_hash: sha256(canonicalJson(body)) };
}
