import { type JobRow, type JobWork, jobRows, type Store } from '#store';
import { patiently } from '../../runs/threads/patience.ts';
import { isUnderWay, type JobRef } from '../job-ref.ts';
import type { JobEngine } from './engine.ts';

/** The job's rows, for repositories. */
export const workOf = ({ database }: Pick<Store, 'database'>, { tenant_id, job_id }: JobRef): JobWork => ({
  database,
  tenant_id,
  job_id,
});

/**
 * Does something to a job in one transaction that holds its row, where its work is still taken: null where it is not.
 * Waits for a database that does not answer; `work` may therefore be called more than once.
 */
export function withJob<T>(
  engine: JobEngine,
  ref: JobRef,
  work: (job: JobRow, rows: JobWork) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  const { database } = engine.store;
  return patiently(
    engine,
    () =>
      database.transaction(async () => {
        const job = await jobRows.lockJob({ sql: database.sql, tenant_id: ref.tenant_id }, ref.job_id);
        if (job === null || !isUnderWay(job.status)) return null;
        return work(job, workOf(engine.store, ref));
      }),
    signal,
  );
}
