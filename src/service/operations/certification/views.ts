import { AssayError } from '#core';
import type { SavedPolicy, SigningKeyInfo } from '#core/api';
import type { PolicyRow, SigningKeyRow } from '#store';

/** A version of a policy as it is answered. */
export function savedPolicyOf({
  id,
  project_id,
  version,
  policy,
  created_at,
  created_by,
}: PolicyRow): SavedPolicy {
  return { id, project_id, policy: { ...policy, version }, created_at: created_at.toISOString(), created_by };
}

/** A signing key as it is answered. */
export function signingKeyOf({
  keyid,
  public_key,
  place,
  valid_from,
  valid_until,
}: SigningKeyRow): SigningKeyInfo {
  return {
    keyid,
    algorithm: 'ed25519',
    public_key,
    place,
    valid_from: valid_from.toISOString(),
    valid_until: valid_until?.toISOString() ?? null,
  };
}

export const noPolicy = (version: number): AssayError =>
  new AssayError('not_found', `the project has no policy version ${version}`, {
    advice: 'GET /v1/projects/{project_id}/certification/policies lists them',
  });
