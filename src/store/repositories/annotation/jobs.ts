import type { TenantScope } from '../../database/database.ts';
import { and, desc, eq, inArray, lt, notInArray } from '../../drizzle.ts';
import { jobs } from '../../schema/jobs.ts';

export type JobRow = typeof jobs.$inferSelect;

/** Statuses of unfinished jobs. */
const openStatuses: JobRow['status'][] = ['queued', 'running', 'cancelling'];

/** Adds a job and returns true; returns false without adding it if the project already has an open job for the layer. */
export async function insertJob({ sql }: TenantScope, row: JobRow): Promise<boolean> {
  const inserted = await sql.insert(jobs).values(row).onConflictDoNothing().returning({ id: jobs.id });
  return inserted.length > 0;
}

/** Returns a job; null if the tenant has none with this id. */
export async function getJob({ sql, tenant_id }: TenantScope, id: string): Promise<JobRow | null> {
  const [row] = await sql
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.id, id)));
  return row ?? null;
}

/** Returns a job as `getJob` does, and locks its row until the transaction ends; null if it is missing. */
export async function lockJob({ sql, tenant_id }: TenantScope, id: string): Promise<JobRow | null> {
  const [row] = await sql
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.id, id)))
    .for('update');
  return row ?? null;
}

/** Changes columns of a job and returns the changed row. */
export async function updateJob(
  { sql, tenant_id }: TenantScope,
  id: string,
  change: Partial<JobRow>,
): Promise<JobRow> {
  const [row] = await sql
    .update(jobs)
    .set(change)
    .where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.id, id)))
    .returning();
  return row;
}

/** Filter of `listJobs`. */
export interface JobQuery {
  readonly project_id: string;
  readonly layer: JobRow['layer'] | null;
  readonly status: JobRow['status'] | null;
  /** Only jobs older than this one. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists jobs, newest first. */
export async function listJobs({ sql, tenant_id }: TenantScope, query: JobQuery): Promise<JobRow[]> {
  const { project_id, layer, status, before, limit } = query;
  return sql
    .select()
    .from(jobs)
    .where(
      and(
        eq(jobs.tenant_id, tenant_id),
        eq(jobs.project_id, project_id),
        layer === null ? undefined : eq(jobs.layer, layer),
        status === null ? undefined : eq(jobs.status, status),
        before === null ? undefined : lt(jobs.id, before),
      ),
    )
    .orderBy(desc(jobs.id))
    .limit(limit);
}

/** Lists the unfinished jobs of a project, newest first. */
export async function listOpenJobs({ sql, tenant_id }: TenantScope, project_id: string): Promise<JobRow[]> {
  return sql
    .select()
    .from(jobs)
    .where(
      and(eq(jobs.tenant_id, tenant_id), eq(jobs.project_id, project_id), inArray(jobs.status, openStatuses)),
    )
    .orderBy(desc(jobs.id));
}

/** Returns the unfinished individually requested job of a layer; null if there is none. */
export async function findOpenJob(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  layer: JobRow['layer'],
): Promise<JobRow | null> {
  const [row] = await sql
    .select()
    .from(jobs)
    .where(
      and(
        eq(jobs.tenant_id, tenant_id),
        eq(jobs.project_id, project_id),
        eq(jobs.layer, layer),
        eq(jobs.origin, 'queue'),
        inArray(jobs.status, openStatuses),
      ),
    );
  return row ?? null;
}

/** Returns jobs as `listJobsOfRun` does, and locks their rows until the transaction ends. */
export async function lockJobsOfRun({ sql, tenant_id }: TenantScope, run_id: string): Promise<JobRow[]> {
  return sql
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.run_id, run_id)))
    .orderBy(jobs.id)
    .for('update');
}

/** Returns the ids of those jobs that have ended. */
export async function endedJobs(
  { sql, tenant_id }: TenantScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(eq(jobs.tenant_id, tenant_id), inArray(jobs.id, [...ids]), notInArray(jobs.status, openStatuses)),
    );
  return new Set(rows.map(({ id }) => id));
}

/** Deletes a job that nothing has seen yet. */
export async function deleteJob({ sql, tenant_id }: TenantScope, id: string): Promise<void> {
  await sql.delete(jobs).where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.id, id)));
}

/** Lists the jobs of a run. */
export async function listJobsOfRun({ sql, tenant_id }: TenantScope, run_id: string): Promise<JobRow[]> {
  return sql
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.run_id, run_id)))
    .orderBy(jobs.id);
}
