import { and, desc, eq, inArray, lt, notInArray } from '../../drizzle.ts';
import { jobs } from '../../schema/jobs.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type JobRow = typeof jobs.$inferSelect;

/** Statuses in which somebody is, or will be, at work. */
const open: JobRow['status'][] = ['queued', 'running', 'cancelling'];

/** False where the layer has an open job of the project already. */
export async function insertJob({ sql }: TenantScope, row: JobRow): Promise<boolean> {
  const inserted = await sql.insert(jobs).values(row).onConflictDoNothing().returning({ id: jobs.id });
  return inserted.length > 0;
}

export async function getJob({ sql, tenant_id }: TenantScope, id: string): Promise<JobRow | null> {
  const [row] = await sql
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.id, id)));
  return row ?? null;
}

/** As `getJob`, and keeps it as it is until the transaction ends. */
export async function lockJob({ sql, tenant_id }: TenantScope, id: string): Promise<JobRow | null> {
  const [row] = await sql
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.id, id)))
    .for('update');
  return row ?? null;
}

/** The job as it is after the change. */
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

export interface JobQuery {
  readonly project_id: string;
  readonly layer: JobRow['layer'] | null;
  readonly status: JobRow['status'] | null;
  /** Jobs that are older than this one. */
  readonly before: string | null;
  readonly limit: number;
}

/** Newest first. */
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

/** Every job of a project that has not ended, newest first. */
export async function listOpenJobs({ sql, tenant_id }: TenantScope, project_id: string): Promise<JobRow[]> {
  return sql
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.project_id, project_id), inArray(jobs.status, open)))
    .orderBy(desc(jobs.id));
}

/** The job that somebody asked for and that has not ended. */
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
        inArray(jobs.status, open),
      ),
    );
  return row ?? null;
}

/** As `listJobsOfRun`, and keeps them as they are until the transaction ends. */
export async function lockJobsOfRun({ sql, tenant_id }: TenantScope, run_id: string): Promise<JobRow[]> {
  return sql
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.run_id, run_id)))
    .orderBy(jobs.id)
    .for('update');
}

/** Those of some jobs that have ended. */
export async function endedJobs(
  { sql, tenant_id }: TenantScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.tenant_id, tenant_id), inArray(jobs.id, [...ids]), notInArray(jobs.status, open)));
  return new Set(rows.map(({ id }) => id));
}

/** Takes a job back that nobody has seen. */
export async function deleteJob({ sql, tenant_id }: TenantScope, id: string): Promise<void> {
  await sql.delete(jobs).where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.id, id)));
}

/** The jobs that are part of a run. */
export async function listJobsOfRun({ sql, tenant_id }: TenantScope, run_id: string): Promise<JobRow[]> {
  return sql
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenant_id, tenant_id), eq(jobs.run_id, run_id)))
    .orderBy(jobs.id);
}
