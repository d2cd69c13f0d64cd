import { AssayError } from '#core';
import type { Whoami } from '#core/api';
import { type Store, tenantRows, tokenRows, userRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { tokenOf, userOf } from './views.ts';

/** Whose the caller's token is. */
export async function whoami(store: Store, call: Call): Promise<Whoami> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { tenant_id, token_id, user_id, role } = call.actor;
  const [tenant, token, user] = await Promise.all([
    tenantRows.getTenant(store.database.sql, tenant_id),
    tokenRows.getToken(scope, token_id),
    user_id === null ? null : userRows.getUser(scope, user_id),
  ]);
  if (tenant === null || token === null) throw new AssayError('not_found', 'the token is no longer there');
  return {
    tenant: { id: tenant.id, name: tenant.name },
    role,
    token: tokenOf(token),
    user: user === null ? null : userOf(user),
  };
}
