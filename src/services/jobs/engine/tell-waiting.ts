import { jobRows, type RunError } from '#store';
import type { Failure } from '#work';
import type { JobRef } from '../job-ref.ts';
import { changeJob } from '../tell-job.ts';
import type { JobEngine } from './engine.ts';
import { withJob } from './with-job.ts';

/** Writes down what a job waits for, or that it goes on. Where that cannot be written, the wait is told by its end. */
export async function tellWaiting(engine: JobEngine, ref: JobRef, failure: Failure | null): Promise<void> {
  const waiting = failure === null ? null : waitOf(failure);
  try {
    const { sql } = engine.store.database;
    const row = await jobRows.getJob({ sql, tenant_id: ref.tenant_id }, ref.job_id);
    if (row === null || row.waiting?.message === waiting?.message) return;
    await withJob(engine, ref, (job) => changeJob(engine.store, job, { waiting }));
  } catch {
    // The database is away as well.
  }
}

const waitOf = ({ code, message, path, advice }: Failure): RunError => ({ code, message, path, advice });
