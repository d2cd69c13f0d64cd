import { and, desc, eq, inArray, lt, type SQL } from '../drizzle.ts';
import { sources } from '../schema/projects.ts';
import { runs } from '../schema/runs.ts';
import type { TenantScope } from '../tenant-scope.ts';
import type { RowLock } from './workspaces.ts';

export type SourceRow = typeof sources.$inferSelect;

const itself = ({ tenant_id }: TenantScope, id: string) =>
  and(eq(sources.tenant_id, tenant_id), eq(sources.id, id));

/** Null where the tenant has none of that id. */
export async function getSource(scope: TenantScope, id: string, lock?: RowLock): Promise<SourceRow | null> {
  const query = scope.sql.select().from(sources).where(itself(scope, id));
  const [row] = await (lock === undefined ? query : query.for(lock));
  return row ?? null;
}

export interface SourceFilter {
  readonly project_id: string;
  readonly before: string | null;
  readonly limit: number;
}

/** Of one project, newest first, those before the id `before`. */
export async function listSources(
  { sql, tenant_id }: TenantScope,
  { project_id, before, limit }: SourceFilter,
): Promise<SourceRow[]> {
  return sql
    .select()
    .from(sources)
    .where(
      and(
        eq(sources.tenant_id, tenant_id),
        eq(sources.project_id, project_id),
        before === null ? undefined : lt(sources.id, before),
      ),
    )
    .orderBy(desc(sources.id))
    .limit(limit);
}

export async function insertSource(
  { sql, tenant_id }: TenantScope,
  row: Omit<SourceRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(sources).values({ ...row, tenant_id });
}

export async function updateSource(
  scope: TenantScope,
  id: string,
  change: Partial<Pick<SourceRow, 'state' | 'files' | 'bytes' | 'expires_at'>>,
): Promise<void> {
  await scope.sql.update(sources).set(change).where(itself(scope, id));
}

export async function deleteSource(scope: TenantScope, id: string): Promise<void> {
  await scope.sql.delete(sources).where(itself(scope, id));
}

/** Whether runs of the source are there, and one that has not ended. */
export async function runsOfSource(
  { sql, tenant_id }: TenantScope,
  source_id: string,
): Promise<{ readonly any: boolean; readonly open: string | null }> {
  const own = and(eq(runs.tenant_id, tenant_id), eq(runs.source_id, source_id));
  const one = (condition: SQL | undefined) =>
    sql.select({ id: runs.id }).from(runs).where(condition).limit(1);
  const [some] = await one(own);
  const [open] = await one(and(own, inArray(runs.status, ['queued', 'running'])));
  return { any: some !== undefined, open: open?.id ?? null };
}
