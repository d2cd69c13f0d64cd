import type { Database, Sql } from '../database/database.ts';
import { asc, eq } from '../drizzle.ts';
import { tenants } from '../schema/tenancy.ts';

export type TenantRow = typeof tenants.$inferSelect;

/** Advisory lock id, used by nothing else. */
const bootstrapLock = 7_210_002;

/** Waits for and takes the lock of an installation's first start, until the transaction ends; other processes that start wait. */
export async function lockBootstrap(database: Database): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock($1)', [bootstrapLock]);
}

/** Adds a tenant and returns true; returns false without adding it if the name is taken. */
export async function insertTenant(sql: Sql, tenant: TenantRow): Promise<boolean> {
  const inserted = await sql
    .insert(tenants)
    .values(tenant)
    .onConflictDoNothing()
    .returning({ id: tenants.id });
  return inserted.length > 0;
}

/** Returns the tenant with a name; null if there is none. */
export async function findTenantByName(sql: Sql, name: string): Promise<TenantRow | null> {
  const [found] = await sql.select().from(tenants).where(eq(tenants.name, name));
  return found ?? null;
}

/** Returns a tenant; null if there is none with this id. */
export async function getTenant(sql: Sql, id: string): Promise<TenantRow | null> {
  const [found] = await sql.select().from(tenants).where(eq(tenants.id, id));
  return found ?? null;
}

/** Lists all tenants by name. */
export async function listTenants(sql: Sql): Promise<TenantRow[]> {
  return sql.select().from(tenants).orderBy(asc(tenants.name));
}
