import type { AnnotationJob } from '#core/api';
import { hasEnded, jobEvents, jobOf, noJob } from '#engine';
import { type JobEventCursor, type JobRow, jobRows, type Store } from '#store';

/**
 * The job as it is at its end, by the project's events after `from`, which was read before the job was seen open; as it
 * is now, where `signal` aborts before. Throws `not_found` where it was deleted.
 */
export async function awaitJob(
  { database }: Pick<Store, 'database'>,
  row: JobRow,
  from: JobEventCursor,
  signal: AbortSignal,
): Promise<AnnotationJob> {
  for await (const { event, data } of jobEvents.follow(database, from, signal)) {
    if (event !== 'job') continue;
    const job = data as AnnotationJob;
    if (job.id === row.id && hasEnded(job.status)) return job;
  }
  const now = await jobRows.getJob({ sql: database.sql, tenant_id: row.tenant_id }, row.id);
  if (now === null) throw noJob();
  return jobOf(database, now);
}
