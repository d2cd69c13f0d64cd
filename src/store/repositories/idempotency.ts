import type { Sql } from '../database/database.ts';
import { and, eq, isNull, lt, sql as raw } from '../drizzle.ts';
import { idempotencyKeys as keys } from '../schema/idempotency.ts';
import type { TenantScope } from '../tenant-scope.ts';

export type IdempotencyRow = typeof keys.$inferSelect;

/** Which row, and whose turn on it. */
export interface KeyClaim {
  readonly token_id: string;
  readonly key: string;
  readonly claim: string;
}

/** How long a claim holds that is not renewed: what a killed process leaves is free again after it. */
const leaseEnd = raw`now() + interval '30 seconds'`;

const own = ({ tenant_id }: TenantScope, { token_id, key, claim }: KeyClaim) =>
  and(
    eq(keys.tenant_id, tenant_id),
    eq(keys.token_id, token_id),
    eq(keys.key, key),
    eq(keys.claim, claim),
    isNull(keys.status),
  );

/**
 * Takes the key for one request: a new one, or one whose request died before anything of it was committed. Null when it
 * is taken; else the row that is in the way.
 */
export async function claimKey(
  scope: TenantScope,
  claim: KeyClaim,
  request_hash: string,
  now: Date,
): Promise<IdempotencyRow | null> {
  const { sql, tenant_id } = scope;
  const again = { claim: claim.claim, claimed_until: leaseEnd };
  const taken = await sql
    .insert(keys)
    .values({ ...claim, ...again, tenant_id, request_hash, in_effect: false, created_at: now })
    .onConflictDoUpdate({
      target: [keys.tenant_id, keys.token_id, keys.key],
      set: again,
      setWhere: raw`${keys.status} IS NULL AND NOT ${keys.in_effect} AND ${keys.request_hash} = ${request_hash} AND ${keys.claimed_until} < now()`,
    })
    .returning({ key: keys.key });
  if (taken.length > 0) return null;
  const [row] = await sql
    .select()
    .from(keys)
    .where(and(eq(keys.tenant_id, tenant_id), eq(keys.token_id, claim.token_id), eq(keys.key, claim.key)));
  return row ?? claimKey(scope, claim, request_hash, now);
}

export async function renewClaim(scope: TenantScope, claim: KeyClaim): Promise<void> {
  await scope.sql.update(keys).set({ claimed_until: leaseEnd }).where(own(scope, claim));
}

/** In the transaction of what is done: false when another request has taken the key meanwhile. */
export async function markInEffect(scope: TenantScope, claim: KeyClaim): Promise<boolean> {
  const marked = await scope.sql
    .update(keys)
    .set({ in_effect: true })
    .where(own(scope, claim))
    .returning({ key: keys.key });
  return marked.length > 0;
}

export async function keepAnswer(
  scope: TenantScope,
  claim: KeyClaim,
  kept: { readonly status: number; readonly answer: string },
): Promise<void> {
  await scope.sql.update(keys).set(kept).where(own(scope, claim));
}

/** Frees a key whose request came to nothing; one of which something was committed stays, without an answer. */
export async function dropClaim(scope: TenantScope, claim: KeyClaim): Promise<void> {
  await scope.sql.delete(keys).where(and(own(scope, claim), eq(keys.in_effect, false)));
  await scope.sql.update(keys).set({ claimed_until: raw`now()` }).where(own(scope, claim));
}

/** Of every tenant: what is older than anybody tries again. */
export async function deleteOldKeys(sql: Sql, before: Date): Promise<void> {
  await sql.delete(keys).where(lt(keys.created_at, before));
}
