import type { Sql } from '../database/database.ts';
import { and, asc, desc, eq, gt, isNull, lt, or } from '../drizzle.ts';
import { tokens, users } from '../schema/tenancy.ts';
import type { TenantScope } from '../tenant-scope.ts';
import type { UserRow } from './users.ts';

export type TokenRow = typeof tokens.$inferSelect;

const works = (now: Date) =>
  and(isNull(tokens.revoked_at), or(isNull(tokens.expires_at), gt(tokens.expires_at, now)));
const sameRow = ({ tenant_id }: TenantScope, id: string) =>
  and(eq(tokens.tenant_id, tenant_id), eq(tokens.id, id));

export async function insertToken(
  { sql, tenant_id }: TenantScope,
  token: Omit<TokenRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(tokens).values({ ...token, tenant_id });
}

/**
 * The token with this SHA-256 that works now, and its user: it is the token that says which tenant is asking, so this
 * and `takeInvitation` alone ask without one.
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
    .where(and(eq(tokens.sha256, sha256), isNull(tokens.one_time), works(now)));
  return found ?? null;
}

/** Uses up an invitation; null where it is unknown, used, revoked or expired. Of two at once one gets it. */
export async function takeInvitation(sql: Sql, sha256: string, now: Date): Promise<TokenRow | null> {
  const [taken] = await sql
    .update(tokens)
    .set({ revoked_at: now, last_used_at: now })
    .where(and(eq(tokens.sha256, sha256), eq(tokens.one_time, 'invitation'), works(now)))
    .returning();
  return taken ?? null;
}

export async function getToken(scope: TenantScope, id: string): Promise<TokenRow | null> {
  const [found] = await scope.sql.select().from(tokens).where(sameRow(scope, id));
  return found ?? null;
}

export interface TokenFilter {
  readonly user_id: string | null;
  /** Only those with a smaller id. */
  readonly before: string | null;
  readonly limit: number;
}

/** Newest first. */
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

/** Ids of the admin tokens that work now; until the transaction ends nobody else revokes one of them. */
export async function lockWorkingAdminTokens(
  { sql, tenant_id }: TenantScope,
  now: Date,
): Promise<readonly string[]> {
  const rows = await sql
    .select({ id: tokens.id })
    .from(tokens)
    .where(
      and(eq(tokens.tenant_id, tenant_id), eq(tokens.role, 'admin'), isNull(tokens.one_time), works(now)),
    )
    .orderBy(asc(tokens.id))
    .for('update');
  return rows.map(({ id }) => id);
}

export async function revokeToken(scope: TenantScope, id: string, now: Date): Promise<void> {
  await scope.sql.update(tokens).set({ revoked_at: now }).where(sameRow(scope, id));
}

/** Notes a use, unless one at `recent` or later is noted. */
export async function noteTokenUse(scope: TenantScope, id: string, now: Date, recent: Date): Promise<void> {
  await scope.sql
    .update(tokens)
    .set({ last_used_at: now })
    .where(and(sameRow(scope, id), or(isNull(tokens.last_used_at), lt(tokens.last_used_at, recent))));
}
