import { jobItemRows, jobRows } from '#store';
import type { Engine } from '../engine.ts';
import { stopJob } from './end-job.ts';
import type { JobRef } from './job-ref.ts';
import { withJob } from './with-job.ts';

const cancelled = { status: 'cancelled', error: null } as const;

/** Ends a job that is being cancelled, once no worker holds an episode of it. */
export async function concludeIfIdle(engine: Engine, ref: JobRef): Promise<void> {
  const { sql } = engine.store.database;
  const known = await jobRows.getJob({ sql, tenant_id: ref.tenant_id }, ref.job_id);
  if (known?.status !== 'cancelling') return;
  await withJob(engine, ref, async (job, work) => {
    if (job.status !== 'cancelling') return;
    if (!(await jobItemRows.anyHeld(work))) await stopJob(engine.store, job, cancelled);
  });
}

/** Ends a job that is being cancelled, whoever still holds episodes of it: workers have had time to let go. */
export async function concludeStep(engine: Engine, ref: JobRef): Promise<void> {
  await withJob(engine, ref, async (job) => {
    if (job.status === 'cancelling') await stopJob(engine.store, job, cancelled);
  });
}
