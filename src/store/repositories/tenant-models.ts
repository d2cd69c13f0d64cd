import { eq } from '../drizzle.ts';
import { tenantModels } from '../schema/tenant-models.ts';
import type { TenantScope } from '../tenant-scope.ts';

/** What a tenant has chosen, as it is stored; null where it never has. `lock` holds it until the transaction ends. */
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

/** Makes the row where there is none, so that it can be locked. */
export async function ensureTenantModels({ sql, tenant_id }: TenantScope, updated_at: Date): Promise<void> {
  await sql.insert(tenantModels).values({ tenant_id, models: {}, updated_at }).onConflictDoNothing();
}

export async function setTenantModels(
  { sql, tenant_id }: TenantScope,
  models: Readonly<Record<string, string>>,
  updated_at: Date,
): Promise<void> {
  await sql.update(tenantModels).set({ models, updated_at }).where(eq(tenantModels.tenant_id, tenant_id));
}
