import type { JsonObject } from '#core';
import type { JobRow, JobWork, Store } from '#store';

/** Which job. */
export interface JobRef {
  readonly tenant_id: string;
  readonly job_id: string;
}

export const refOfJob = ({ tenant_id, id }: Pick<JobRow, 'tenant_id' | 'id'>): JobRef => ({
  tenant_id,
  job_id: id,
});

/** The job that queued work is of. */
export const queuedJob = ({ tenant_id, job_id }: JsonObject): JobRef => ({
  tenant_id: String(tenant_id),
  job_id: String(job_id),
});

/** The job's rows, for repositories. */
export const workOf = ({ database }: Pick<Store, 'database'>, { tenant_id, job_id }: JobRef): JobWork => ({
  database,
  tenant_id,
  job_id,
});

/** Statuses after which nothing comes. */
export const hasEnded = (status: string): boolean =>
  status === 'succeeded' || status === 'partial' || status === 'failed' || status === 'cancelled';
