import type { TenantScope } from '../database/database.ts';
import { and, desc, eq, lt } from '../drizzle.ts';
import { supportQueries as q } from '../schema/copilot.ts';

export type SupportQueryRow = typeof q.$inferSelect;

/** Adds a support query. */
export async function insertSupportQuery(
  { sql, tenant_id }: TenantScope,
  row: Omit<SupportQueryRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(q).values({ ...row, tenant_id });
}

/** Lists the support queries of the tenant, newest first, only those before the id `before`. */
export async function listSupportQueries(
  { sql, tenant_id }: TenantScope,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<SupportQueryRow[]> {
  return sql
    .select()
    .from(q)
    .where(and(eq(q.tenant_id, tenant_id), before === null ? undefined : lt(q.id, before)))
    .orderBy(desc(q.id))
    .limit(limit);
}
