import { AssayError } from '#core';
import type { SigningKeyInfo } from '#core/api';
import { getSigner, registerKey } from '#engine';
import { createNextKey, type SigningKeyRow, type Store, signingKeyRows } from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';

/** Lists the public keys that sign or have signed the tenant's bundles, newest first. */
export async function listCertificationKeys(
  store: Store,
  call: Call,
): Promise<{ readonly items: SigningKeyInfo[] }> {
  requireRole(call, 'viewer');
  return { items: (await signingKeyRows.listKeys(scopeOf(store, call))).map(signingKeyOf) };
}

/** Converts a signing key row to the API view. */
function signingKeyOf({ keyid, public_key, place, valid_from, valid_until }: SigningKeyRow): SigningKeyInfo {
  return {
    keyid,
    algorithm: 'ed25519',
    public_key,
    place,
    valid_from: valid_from.toISOString(),
    valid_until: valid_until?.toISOString() ?? null,
  };
}

/**
 * Replaces the key that signs a tenant's bundles, ends the validity of the old one, audits it and returns the new public key.
 * The new key is written to disk, then listed, then adopted, so a killed process leaves either the old key or a new one that
 * the next signature completes. Throws `conflict` if an external command signs, `output_unwritable`.
 */
export async function rotateCertificationKey(store: Store, call: Call): Promise<SigningKeyInfo> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  const { tenant_id } = scope;
  const { keyid: before } = (await getSigner(store, tenant_id)).public_key;
  const next = createNextKey(store, tenant_id);
  const row = await store.database.transaction(async () => {
    const keyid = await registerKey(store, tenant_id, next.key);
    await signingKeyRows.endKey(scope, before, call.now);
    const listed = await signingKeyRows.getKey(scope, keyid);
    if (listed === null) throw new AssayError('internal', 'the new key is not listed');
    await appendAudit(store, call, {
      action: 'rotate_certification_key',
      object_type: 'signing_key',
      object_id: keyid,
      before: { keyid: before },
      after: { keyid },
      detail: { replaced: before },
    });
    return listed;
  });
  next.adopt();
  return signingKeyOf(row);
}
