import type { TenantScope } from '../database/database.ts';
import { and, desc, eq, inArray, lt } from '../drizzle.ts';
import { runs } from '../schema/runs.ts';

export type RunRow = typeof runs.$inferSelect;
export type RunRowStatus = RunRow['status'];

/** Statuses of unfinished runs. */
const active: RunRowStatus[] = ['queued', 'running'];
const finished: RunRowStatus[] = ['succeeded', 'partial'];

/** Adds a run and returns true; returns false without adding it if the source already has an active run. */
export async function insertRun({ sql }: TenantScope, row: RunRow): Promise<boolean> {
  const inserted = await sql.insert(runs).values(row).onConflictDoNothing().returning({ id: runs.id });
  return inserted.length > 0;
}

/** Returns a run; null if the tenant has none with this id. */
export async function getRun({ sql, tenant_id }: TenantScope, id: string): Promise<RunRow | null> {
  const [row] = await sql
    .select()
    .from(runs)
    .where(and(eq(runs.tenant_id, tenant_id), eq(runs.id, id)));
  return row ?? null;
}

/** Returns a run as `getRun` does, and locks its row until the transaction ends; null if it is missing. */
export async function lockRun({ sql, tenant_id }: TenantScope, id: string): Promise<RunRow | null> {
  const [row] = await sql
    .select()
    .from(runs)
    .where(and(eq(runs.tenant_id, tenant_id), eq(runs.id, id)))
    .for('update');
  return row ?? null;
}

/** Changes columns of a run and returns the changed row. */
export async function updateRun(
  { sql, tenant_id }: TenantScope,
  id: string,
  change: Partial<RunRow>,
): Promise<RunRow> {
  const [row] = await sql
    .update(runs)
    .set(change)
    .where(and(eq(runs.tenant_id, tenant_id), eq(runs.id, id)))
    .returning();
  return row;
}

/** Filter of `listRuns`. */
export interface RunQuery {
  readonly project_id: string;
  readonly source_id: string | null;
  readonly status: RunRowStatus | null;
  /** Only runs older than this one. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists runs, newest first. */
export async function listRuns({ sql, tenant_id }: TenantScope, query: RunQuery): Promise<RunRow[]> {
  const { project_id, source_id, status, before, limit } = query;
  return sql
    .select()
    .from(runs)
    .where(
      and(
        eq(runs.tenant_id, tenant_id),
        eq(runs.project_id, project_id),
        source_id === null ? undefined : eq(runs.source_id, source_id),
        status === null ? undefined : eq(runs.status, status),
        before === null ? undefined : lt(runs.id, before),
      ),
    )
    .orderBy(desc(runs.id))
    .limit(limit);
}

/** Returns the active run of a source; null if there is none. */
export async function findActiveRun(
  { sql, tenant_id }: TenantScope,
  source_id: string,
): Promise<RunRow | null> {
  const [row] = await sql
    .select()
    .from(runs)
    .where(and(eq(runs.tenant_id, tenant_id), eq(runs.source_id, source_id), inArray(runs.status, active)));
  return row ?? null;
}

/** Returns the newest assessment, complete or partial and not a re-evaluation, of each source of a project, or of one source. */
export async function listLatestAssessments(
  { sql, tenant_id }: TenantScope,
  { project_id, source_id }: { readonly project_id: string; readonly source_id: string | null },
): Promise<RunRow[]> {
  return sql
    .selectDistinctOn([runs.source_id])
    .from(runs)
    .where(
      and(
        eq(runs.tenant_id, tenant_id),
        eq(runs.project_id, project_id),
        source_id === null ? undefined : eq(runs.source_id, source_id),
        eq(runs.type, 'assess'),
        inArray(runs.status, finished),
      ),
    )
    .orderBy(runs.source_id, desc(runs.id));
}
