import { and, desc, eq, lt } from '../drizzle.ts';
import { users } from '../schema/tenancy.ts';
import type { TenantScope } from '../tenant-scope.ts';

export type UserRow = typeof users.$inferSelect;

/** False where the tenant has a user with that address. */
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

export async function getUser({ sql, tenant_id }: TenantScope, id: string): Promise<UserRow | null> {
  const [found] = await sql
    .select()
    .from(users)
    .where(and(eq(users.tenant_id, tenant_id), eq(users.id, id)));
  return found ?? null;
}

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

/** Newest first, those older than `before`. */
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

/** The user took an invitation: for the first time or again. */
export async function markAccepted({ sql, tenant_id }: TenantScope, id: string, now: Date): Promise<void> {
  await sql
    .update(users)
    .set({ accepted_at: now })
    .where(and(eq(users.tenant_id, tenant_id), eq(users.id, id)));
}
