import type { JsonObject } from '#kernel';

/** Which job. */
export interface JobRef {
  readonly tenant_id: string;
  readonly job_id: string;
}

/** The job that queued work is of. */
export const refOf = ({ tenant_id, job_id }: JsonObject): JobRef => ({
  tenant_id: String(tenant_id),
  job_id: String(job_id),
});

/** Statuses in which work of a job is still taken. */
export const isUnderWay = (status: string): boolean => status === 'running' || status === 'cancelling';

/** Statuses after which nothing comes. */
export const hasEnded = (status: string): boolean =>
  status === 'succeeded' || status === 'partial' || status === 'failed' || status === 'cancelled';
