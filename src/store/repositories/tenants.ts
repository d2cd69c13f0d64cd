import type { Database, Sql } from '../database/database.ts';
import { asc, eq } from '../drizzle.ts';
import { tenants } from '../schema/tenancy.ts';

export type TenantRow = typeof tenants.$inferSelect;

/** Any number that nobody else locks. */
const bootstrapLock = 7_210_002;

/** Inside a transaction: others that start for the first time wait until it ends. */
export async function lockBootstrap(database: Database): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock($1)', [bootstrapLock]);
}

/** False where the name is taken. */
export async function insertTenant(sql: Sql, tenant: TenantRow): Promise<boolean> {
  const inserted = await sql
    .insert(tenants)
    .values(tenant)
    .onConflictDoNothing()
    .returning({ id: tenants.id });
  return inserted.length > 0;
}

export async function findTenantByName(sql: Sql, name: string): Promise<TenantRow | null> {
  const [found] = await sql.select().from(tenants).where(eq(tenants.name, name));
  return found ?? null;
}

export async function getTenant(sql: Sql, id: string): Promise<TenantRow | null> {
  const [found] = await sql.select().from(tenants).where(eq(tenants.id, id));
  return found ?? null;
}

/** By name. */
export async function listTenants(sql: Sql): Promise<TenantRow[]> {
  return sql.select().from(tenants).orderBy(asc(tenants.name));
}
