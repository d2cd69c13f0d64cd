import type { AnnotationJob } from '#core/api';
import { type JobRow, jobEventRows, jobRows, type Store } from '#store';
import { jobEvents } from './job-events.ts';
import { jobOf, progressOf } from './views.ts';

type Told = Pick<Store, 'database'>;

/**
 * Changes a job's row and tells of it, in the transaction that holds it. Comes after whatever else that transaction
 * locks but the audit's chain.
 */
export async function changeJob(store: Told, row: JobRow, change: Partial<JobRow>): Promise<JobRow> {
  const { database } = store;
  const changed = await jobRows.updateJob({ sql: database.sql, tenant_id: row.tenant_id }, row.id, change);
  await tellJob(store, changed);
  return changed;
}

/** Tells of a job as it is; gives what was told. */
export async function tellJob(store: Told, row: JobRow): Promise<AnnotationJob> {
  const job = await jobOf(store.database, row);
  await addEvent(store, row, 'job', JSON.stringify(job));
  return job;
}

/** Tells how far a job that is held has come. */
export async function tellJobProgress(store: Told, row: JobRow, last_episode: string | null): Promise<void> {
  await addEvent(store, row, 'progress', JSON.stringify(progressOf(row, last_episode, new Date())));
}

async function addEvent(
  { database }: Told,
  { tenant_id, project_id, id }: JobRow,
  event: 'job' | 'progress',
  data: string,
): Promise<void> {
  await jobEventRows.addJobEvent(database, { tenant_id, project_id, job_id: id }, event, data);
  database.afterCommit(() => jobEvents.wake(database));
}
