import type { TenantScope } from '../database/database.ts';
import { and, desc, eq, lt } from '../drizzle.ts';
import { users } from '../schema/tenancy.ts';

export type UserRow = typeof users.$inferSelect;

/** Adds a user and returns true; returns false without adding one if the tenant already has a user with this email address. */
export async function insertUser(
  { sql, tenant_id }: TenantScope,
  user: Omit<UserRow, 'tenant_id'>,
): Promise<boolean> {
  const inserted = await sql
    .insert(users)
    .values({ ...user, tenant_id })
    .onConflictDoNothing({ target: [users.tenant_id, users.email] })
    .returning({ id: users.id });
  return inserted.length > 0;
}

/** Returns a user; null if the tenant has none with this id. */
export async function getUser({ sql, tenant_id }: TenantScope, id: string): Promise<UserRow | null> {
  const [found] = await sql
    .select()
    .from(users)
    .where(and(eq(users.tenant_id, tenant_id), eq(users.id, id)));
  return found ?? null;
}

/** Returns the user with an email address; null if there is none. */
export async function findUserByEmail(
  { sql, tenant_id }: TenantScope,
  email: string,
): Promise<UserRow | null> {
  const [found] = await sql
    .select()
    .from(users)
    .where(and(eq(users.tenant_id, tenant_id), eq(users.email, email)));
  return found ?? null;
}

/** Lists users, newest first, at most `limit`, only those before the id `before`. */
export async function listUsers(
  { sql, tenant_id }: TenantScope,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<UserRow[]> {
  return sql
    .select()
    .from(users)
    .where(and(eq(users.tenant_id, tenant_id), before === null ? undefined : lt(users.id, before)))
    .orderBy(desc(users.id))
    .limit(limit);
}

/** Stores that the user accepted an invitation, for the first time or again. */
export async function markAccepted({ sql, tenant_id }: TenantScope, id: string, now: Date): Promise<void> {
  await sql
    .update(users)
    .set({ accepted_at: now })
    .where(and(eq(users.tenant_id, tenant_id), eq(users.id, id)));
}
