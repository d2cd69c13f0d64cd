import type { TenantScope } from '../database/database.ts';
import { and, desc, eq, lt } from '../drizzle.ts';
import { workspaces } from '../schema/projects.ts';

export type WorkspaceRow = typeof workspaces.$inferSelect;

/** Lock of a read row until the transaction ends: `share` against changes, `update` also against other locks. */
export type RowLock = 'share' | 'update';

/** Returns a workspace; null if the tenant has none with this id. `lock` locks the row until the transaction ends. */
export async function getWorkspace(
  { sql, tenant_id }: TenantScope,
  id: string,
  lock?: RowLock,
): Promise<WorkspaceRow | null> {
  const query = sql
    .select()
    .from(workspaces)
    .where(and(eq(workspaces.tenant_id, tenant_id), eq(workspaces.id, id)));
  const [row] = await (lock === undefined ? query : query.for(lock));
  return row ?? null;
}

/** Lists workspaces, newest first, only those before the id `before`. */
export async function listWorkspaces(
  { sql, tenant_id }: TenantScope,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<WorkspaceRow[]> {
  return sql
    .select()
    .from(workspaces)
    .where(and(eq(workspaces.tenant_id, tenant_id), before === null ? undefined : lt(workspaces.id, before)))
    .orderBy(desc(workspaces.id))
    .limit(limit);
}

/** Adds a workspace. */
export async function insertWorkspace(
  { sql, tenant_id }: TenantScope,
  row: Omit<WorkspaceRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(workspaces).values({ ...row, tenant_id });
}

/** Changes a workspace. */
export async function updateWorkspace(
  { sql, tenant_id }: TenantScope,
  id: string,
  change: Partial<Pick<WorkspaceRow, 'name' | 'use_case' | 'annotation_settings'>> &
    Pick<WorkspaceRow, 'updated_at'>,
): Promise<void> {
  await sql
    .update(workspaces)
    .set(change)
    .where(and(eq(workspaces.tenant_id, tenant_id), eq(workspaces.id, id)));
}

/** Deletes a workspace. */
export async function deleteWorkspace({ sql, tenant_id }: TenantScope, id: string): Promise<void> {
  await sql.delete(workspaces).where(and(eq(workspaces.tenant_id, tenant_id), eq(workspaces.id, id)));
}
