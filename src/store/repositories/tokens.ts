import type { Sql, TenantScope } from '../database/database.ts';
import { and, asc, desc, eq, gt, isNull, lt, or } from '../drizzle.ts';
import { tokens, users } from '../schema/tenancy.ts';
import type { UserRow } from './users.ts';

export type TokenRow = typeof tokens.$inferSelect;

const isWorking = (now: Date) =>
  and(isNull(tokens.revoked_at), or(isNull(tokens.expires_at), gt(tokens.expires_at, now)));
const byId = ({ tenant_id }: TenantScope, id: string) =>
  and(eq(tokens.tenant_id, tenant_id), eq(tokens.id, id));

/** Adds a token. */
export async function insertToken(
  { sql, tenant_id }: TenantScope,
  token: Omit<TokenRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(tokens).values({ ...token, tenant_id });
}

/**
 * Returns the valid token with this SHA-256 and its user; null if there is none. The token determines the tenant, so
 * only this function and `takeInvitation` query without one.
 */
export async function findWorkingToken(
  sql: Sql,
  sha256: string,
  now: Date,
): Promise<{ readonly token: TokenRow; readonly user: UserRow | null } | null> {
  const [found] = await sql
    .select({ token: tokens, user: users })
    .from(tokens)
    .leftJoin(users, and(eq(users.tenant_id, tokens.tenant_id), eq(users.id, tokens.user_id)))
    .where(and(eq(tokens.sha256, sha256), isNull(tokens.one_time), isWorking(now)));
  return found ?? null;
}

/**
 * Uses up an invitation and returns it; null if it is unknown, used, revoked or expired. Of two concurrent calls one
 * succeeds.
 */
export async function takeInvitation(sql: Sql, sha256: string, now: Date): Promise<TokenRow | null> {
  const [invitation] = await sql
    .update(tokens)
    .set({ revoked_at: now, last_used_at: now })
    .where(and(eq(tokens.sha256, sha256), eq(tokens.one_time, 'invitation'), isWorking(now)))
    .returning();
  return invitation ?? null;
}

/** Returns a token; null if the tenant has none with this id. */
export async function getToken(scope: TenantScope, id: string): Promise<TokenRow | null> {
  const [found] = await scope.sql.select().from(tokens).where(byId(scope, id));
  return found ?? null;
}

/** Filter of `listTokens`. */
export interface TokenFilter {
  readonly user_id: string | null;
  /** Only tokens with a smaller id. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists tokens, also invalid ones, newest first. */
export async function listTokens({ sql, tenant_id }: TenantScope, filter: TokenFilter): Promise<TokenRow[]> {
  return sql
    .select()
    .from(tokens)
    .where(
      and(
        eq(tokens.tenant_id, tenant_id),
        filter.before === null ? undefined : lt(tokens.id, filter.before),
        filter.user_id === null ? undefined : eq(tokens.user_id, filter.user_id),
      ),
    )
    .orderBy(desc(tokens.id))
    .limit(filter.limit);
}

/** Returns and locks the ids of valid admin tokens; they cannot be revoked by others until the transaction ends. */
export async function lockWorkingAdminTokens(
  { sql, tenant_id }: TenantScope,
  now: Date,
): Promise<readonly string[]> {
  const rows = await sql
    .select({ id: tokens.id })
    .from(tokens)
    .where(
      and(eq(tokens.tenant_id, tenant_id), eq(tokens.role, 'admin'), isNull(tokens.one_time), isWorking(now)),
    )
    .orderBy(asc(tokens.id))
    .for('update');
  return rows.map(({ id }) => id);
}

/** Sets a token's revocation time, also if it was revoked before; an unknown id is ignored. */
export async function revokeToken(scope: TenantScope, id: string, now: Date): Promise<void> {
  await scope.sql.update(tokens).set({ revoked_at: now }).where(byId(scope, id));
}

/** Stores the time of use, unless a use at `recent` or later is stored. */
export async function noteTokenUse(scope: TenantScope, id: string, now: Date, recent: Date): Promise<void> {
  await scope.sql
    .update(tokens)
    .set({ last_used_at: now })
    .where(and(byId(scope, id), or(isNull(tokens.last_used_at), lt(tokens.last_used_at, recent))));
}
