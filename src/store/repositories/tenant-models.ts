import type { TenantScope } from '../database/database.ts';
import { eq } from '../drizzle.ts';
import { tenantModels } from '../schema/tenancy.ts';

/**
 * Returns the stored model choices of a tenant; null if there are none. `lock` locks the row until the transaction
 * ends.
 */
export async function getTenantModels(
  { sql, tenant_id }: TenantScope,
  lock?: 'update',
): Promise<{ readonly models: unknown } | null> {
  const query = sql
    .select({ models: tenantModels.models })
    .from(tenantModels)
    .where(eq(tenantModels.tenant_id, tenant_id));
  const [row] = await (lock === undefined ? query : query.for(lock));
  return row ?? null;
}

/** Creates the row of a tenant if it is missing, so that it can be locked. */
export async function ensureTenantModels({ sql, tenant_id }: TenantScope, updated_at: Date): Promise<void> {
  await sql.insert(tenantModels).values({ tenant_id, models: {}, updated_at }).onConflictDoNothing();
}

/** Replaces the model choices of a tenant whose row exists; does nothing if it is missing. */
export async function setTenantModels(
  { sql, tenant_id }: TenantScope,
  models: Readonly<Record<string, string>>,
  updated_at: Date,
): Promise<void> {
  await sql.update(tenantModels).set({ models, updated_at }).where(eq(tenantModels.tenant_id, tenant_id));
}
