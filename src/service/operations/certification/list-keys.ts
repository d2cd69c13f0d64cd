import type { SigningKeyInfo } from '#core/api';
import { type Store, signingKeyRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { signingKeyOf } from './views.ts';

/** The public keys that a tenant's bundles are and were signed by, newest first. */
export async function listCertificationKeys(
  store: Store,
  call: Call,
): Promise<{ readonly items: SigningKeyInfo[] }> {
  requireRole(call, 'viewer');
  return { items: (await signingKeyRows.listKeys(scopeOf(store, call))).map(signingKeyOf) };
}
