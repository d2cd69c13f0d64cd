import { type JobRow, jobEventRows, jobItemRows, jobRows, type RunError, type Store } from '#store';
import { straggling_s } from '../straggling.ts';
import { workOf } from './job-ref.ts';
import { chargeJob, releaseJob } from './settle-job.ts';
import { changeJob } from './tell-job.ts';

type Ending = Pick<Store, 'database' | 'queue'>;

/** How a job ends whose episodes are all done, failed or skipped. */
function conclusionOf({ done, failed }: JobRow): 'succeeded' | 'partial' | 'failed' {
  if (failed === 0) return 'succeeded';
  return done === 0 ? 'failed' : 'partial';
}

/** Concludes a job that has nothing left to do; in the transaction that holds it. */
export async function concludeJob(store: Ending, job: JobRow): Promise<JobRow> {
  const status = conclusionOf(job);
  const [first] =
    status === 'failed' ? await jobItemRows.listFailures(store.database, job.tenant_id, [job.id], 1) : [];
  return endJob(store, job, { status, error: first?.error ?? null });
}

/** Ends a job before its end, for a reason or because it was cancelled: what is done stays, the rest is skipped. */
export async function stopJob(
  store: Ending,
  job: JobRow,
  end: { readonly status: 'failed' | 'cancelled'; readonly error: RunError | null },
): Promise<JobRow> {
  const { tenant_id, id } = job;
  const work = workOf(store, { tenant_id, job_id: id });
  const skipped = job.skipped + (await jobItemRows.endWaiting(work, 'skipped', null, null));
  const row = await jobRows.updateJob({ sql: store.database.sql, tenant_id }, id, { skipped });
  return endJob(store, row, end);
}

/** Charges what was measured, gives back what is left of the reservation, tells of the end, and has blobs swept. */
async function endJob(store: Ending, job: JobRow, end: Pick<JobRow, 'status' | 'error'>): Promise<JobRow> {
  const { tenant_id, id, run_id } = job;
  const charged = await chargeJob(store, job, 'always');
  await releaseJob(store, charged);
  const ref = { tenant_id, job_id: id };
  await jobEventRows.pruneJobProgress(store.database, ref, 'none');
  await store.queue.send('job_steps', [{ ...ref, step: 'sweep' }], { after_s: straggling_s });
  if (run_id !== null) await store.queue.send('run_steps', [{ tenant_id, run_id, step: 'annotated' }]);
  return changeJob(store, charged, { ...end, waiting: null, finished_at: new Date() });
}
