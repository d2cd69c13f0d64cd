import { type Database, type JobRow, jobRows } from '#store';
import type { WorkKind } from '../engine.ts';
import { stopJob } from './end-job.ts';
import type { JobRef } from './job-ref.ts';
import { changeJob } from './tell-job.ts';

/** Annotation jobs: begun, held, told of and ended alike by every step. */
export const jobKind: WorkKind<JobRef, JobRow> = {
  noun: 'job',
  tryAgain: 'queue the layer again',
  keyOf: ({ job_id }) => job_id,
  read: (scope, { job_id }) => jobRows.getJob(scope, job_id),
  lock: (scope, { job_id }) => jobRows.lockJob(scope, job_id),
  stateOf: ({ status }) => {
    if (status === 'cancelling') return 'stopping';
    return status === 'queued' || status === 'running' ? status : 'over';
  },
  start: (store, job, now) => changeJob(store, job, { status: 'running', started_at: now }),
  setWaiting: (store, job, waiting) => changeJob(store, job, { waiting }),
  fail: async ({ store }, _, job, error) => {
    await stopJob(store, job, { status: 'failed', error });
  },
  gone: goneJobs,
  // Told with each commit.
  tellProgress: async () => {},
};

async function goneJobs(database: Database, refs: readonly JobRef[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(
    `SELECT r.job_id FROM json_to_recordset($1::json) AS r (tenant_id text, job_id text)
     LEFT JOIN jobs ON jobs.tenant_id = r.tenant_id AND jobs.id = r.job_id AND jobs.status = 'running'
     WHERE jobs.id IS NULL`,
    [JSON.stringify(refs)],
  );
  return new Set(rows.map(({ job_id }) => job_id));
}
