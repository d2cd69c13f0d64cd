import { AssayError } from '#core';
import type { SigningKeyInfo } from '#core/api';
import { listKey, signerOf } from '#engine';
import { nextKey, type Store, signingKeyRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { signingKeyOf } from './views.ts';

/**
 * Replaces the key that a tenant's bundles are signed by in this process. The new one is written down, then listed, then
 * taken into use, so that a process that is killed leaves either the old key or what the next signature finishes. Throws
 * `conflict` where the key lies behind a command, `output_unwritable`.
 */
export async function rotateCertificationKey(store: Store, call: Call): Promise<SigningKeyInfo> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  const { tenant_id } = scope;
  const { keyid: before } = (await signerOf(store, tenant_id)).public_key;
  const next = nextKey(store, tenant_id);
  const row = await store.database.transaction(async () => {
    const keyid = await listKey(store, tenant_id, next.key);
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
