import { sha256 } from '#core';
import { tokenShape } from '#core/api';
import { type Store, type TenantScope, tokenRows } from '#store';
import type { Actor } from '../call.ts';

/** Uses closer together than this are noted once. */
const noteEvery_ms = 60_000;

/**
 * Whose `token` is; null when it is unknown, expired, revoked or an invitation. One indexed query; that it was used is
 * noted behind the request's back.
 */
export async function findActor(store: Store, token: string, now: Date): Promise<Actor | null> {
  if (!tokenShape.test(token)) return null;
  const found = await tokenRows.findWorkingToken(store.database.sql, sha256(token), now);
  if (found === null) return null;
  const { id, tenant_id, user_id, role, last_used_at, name } = found.token;
  const recent = new Date(now.getTime() - noteEvery_ms);
  if (last_used_at === null || last_used_at < recent) {
    noteUse({ sql: store.database.sql, tenant_id }, id, now, recent);
  }
  return { tenant_id, token_id: id, user_id, name: found.user?.name ?? name, role };
}

/** Nobody waits for it, and a use that could not be noted is noted with the next. */
function noteUse(scope: TenantScope, id: string, now: Date, recent: Date): void {
  tokenRows.noteTokenUse(scope, id, now, recent).catch(() => {});
}
