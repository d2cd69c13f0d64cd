import type { Sql, TenantScope } from '../database/database.ts';
import { and, eq, isNull, lt, sql as raw } from '../drizzle.ts';
import { idempotencyKeys as keys } from '../schema/tenancy.ts';

export type IdempotencyRow = typeof keys.$inferSelect;

/** Identifies an idempotency key and the request that has claimed it. */
export interface KeyClaim {
  readonly token_id: string;
  readonly key: string;
  readonly claim: string;
}

/** End of a claim that is not renewed; the key of a killed process becomes free after it. */
const leaseEnd = raw`now() + interval '30 seconds'`;

const ownClaim = ({ tenant_id }: TenantScope, { token_id, key, claim }: KeyClaim) =>
  and(
    eq(keys.tenant_id, tenant_id),
    eq(keys.token_id, token_id),
    eq(keys.key, key),
    eq(keys.claim, claim),
    isNull(keys.status),
  );

/**
 * Claims a key for a request: a new key, or one whose request died before it committed anything. Returns null if the
 * key was claimed, else the existing row.
 */
export async function claimKey(
  scope: TenantScope,
  claim: KeyClaim,
  request_hash: string,
  now: Date,
): Promise<IdempotencyRow | null> {
  const { sql, tenant_id } = scope;
  const newClaim = { claim: claim.claim, claimed_until: leaseEnd };
  const claimed = await sql
    .insert(keys)
    .values({ ...claim, ...newClaim, tenant_id, request_hash, in_effect: false, created_at: now })
    .onConflictDoUpdate({
      target: [keys.tenant_id, keys.token_id, keys.key],
      set: newClaim,
      setWhere: raw`${keys.status} IS NULL AND NOT ${keys.in_effect} AND ${keys.request_hash} = ${request_hash} AND ${keys.claimed_until} < now()`,
    })
    .returning({ key: keys.key });
  if (claimed.length > 0) return null;
  const [row] = await sql
    .select()
    .from(keys)
    .where(and(eq(keys.tenant_id, tenant_id), eq(keys.token_id, claim.token_id), eq(keys.key, claim.key)));
  return row ?? claimKey(scope, claim, request_hash, now);
}

/** Extends a claim to 30 seconds from now; does nothing if the key was answered or another request has claimed it. */
export async function renewClaim(scope: TenantScope, claim: KeyClaim): Promise<void> {
  await scope.sql.update(keys).set({ claimed_until: leaseEnd }).where(ownClaim(scope, claim));
}

/**
 * Marks that the request has taken effect; must run in its transaction. Returns false if another request has claimed
 * the key meanwhile.
 */
export async function markInEffect(scope: TenantScope, claim: KeyClaim): Promise<boolean> {
  const marked = await scope.sql
    .update(keys)
    .set({ in_effect: true })
    .where(ownClaim(scope, claim))
    .returning({ key: keys.key });
  return marked.length > 0;
}

/** Stores the answer of the request; does nothing if another request has claimed the key. */
export async function saveAnswer(
  scope: TenantScope,
  claim: KeyClaim,
  stored: { readonly status: number; readonly answer: string },
): Promise<void> {
  await scope.sql.update(keys).set(stored).where(ownClaim(scope, claim));
}

/** Frees a key whose request had no effect; a key whose request committed something stays without an answer. */
export async function dropClaim(scope: TenantScope, claim: KeyClaim): Promise<void> {
  await scope.sql.delete(keys).where(and(ownClaim(scope, claim), eq(keys.in_effect, false)));
  await scope.sql.update(keys).set({ claimed_until: raw`now()` }).where(ownClaim(scope, claim));
}

/** Deletes keys of all tenants that were created before a time. */
export async function deleteOldKeys(sql: Sql, before: Date): Promise<void> {
  await sql.delete(keys).where(lt(keys.created_at, before));
}
