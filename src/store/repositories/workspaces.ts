import { and, desc, eq, lt } from '../drizzle.ts';
import { workspaces } from '../schema/projects.ts';
import type { TenantScope } from '../tenant-scope.ts';

export type WorkspaceRow = typeof workspaces.$inferSelect;

/** How a row that was read is held until the transaction ends: against changes, or against changes and readers. */
export type RowLock = 'share' | 'update';

/** Null where the tenant has none of that id. */
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

/** Newest first, those before the id `before`. */
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

export async function insertWorkspace(
  { sql, tenant_id }: TenantScope,
  row: Omit<WorkspaceRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(workspaces).values({ ...row, tenant_id });
}

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

export async function deleteWorkspace({ sql, tenant_id }: TenantScope, id: string): Promise<void> {
  await sql.delete(workspaces).where(and(eq(workspaces.tenant_id, tenant_id), eq(workspaces.id, id)));
}
