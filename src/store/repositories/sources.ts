import type { TenantScope } from '../database/database.ts';
import { and, desc, eq, inArray, lt, type SQL } from '../drizzle.ts';
import { sources } from '../schema/projects.ts';
import { runs } from '../schema/runs.ts';
import type { RowLock } from './workspaces.ts';

export type SourceRow = typeof sources.$inferSelect;

const rowCondition = ({ tenant_id }: TenantScope, id: string) =>
  and(eq(sources.tenant_id, tenant_id), eq(sources.id, id));

/** Returns a source; null if the tenant has none with this id. `lock` locks the row until the transaction ends. */
export async function getSource(scope: TenantScope, id: string, lock?: RowLock): Promise<SourceRow | null> {
  const query = scope.sql.select().from(sources).where(rowCondition(scope, id));
  const [row] = await (lock === undefined ? query : query.for(lock));
  return row ?? null;
}

/** Filter of `listSources`. */
export interface SourceFilter {
  readonly project_id: string;
  readonly before: string | null;
  readonly limit: number;
}

/** Lists the sources of a project, newest first, only those before the id `before`. */
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

/** Adds a source. */
export async function insertSource(
  { sql, tenant_id }: TenantScope,
  row: Omit<SourceRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(sources).values({ ...row, tenant_id });
}

/** Changes a source. */
export async function updateSource(
  scope: TenantScope,
  id: string,
  change: Partial<Pick<SourceRow, 'location' | 'state' | 'files' | 'bytes' | 'expires_at'>>,
): Promise<void> {
  await scope.sql.update(sources).set(change).where(rowCondition(scope, id));
}

/** Deletes a source. */
export async function deleteSource(scope: TenantScope, id: string): Promise<void> {
  await scope.sql.delete(sources).where(rowCondition(scope, id));
}

/** Returns whether the source has any run, and the id of a queued or running one (null if there is none). */
export async function findRunsOfSource(
  { sql, tenant_id }: TenantScope,
  source_id: string,
): Promise<{ readonly any: boolean; readonly open: string | null }> {
  const sourceRuns = and(eq(runs.tenant_id, tenant_id), eq(runs.source_id, source_id));
  const one = (condition: SQL | undefined) =>
    sql.select({ id: runs.id }).from(runs).where(condition).limit(1);
  const [some] = await one(sourceRuns);
  const [open] = await one(and(sourceRuns, inArray(runs.status, ['queued', 'running'])));
  return { any: some !== undefined, open: open?.id ?? null };
}
