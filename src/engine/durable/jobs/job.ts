import { AssayError, type JsonObject } from '#core';
import type { AnnotationJob, AnnotationJobProgress } from '#core/api';
import {
  createEventStreams,
  type Database,
  type JobEventCursor,
  type JobEventRow,
  type JobRow,
  type JobWork,
  jobEventRows,
  jobItemRows,
  jobRows,
  type Store,
} from '#store';
import { estimateView } from '../../budget/estimates.ts';
import { roundUsd } from '../../budget/ledger.ts';
import { computeJobCost, deviceCosts } from './job-costs.ts';

/** Maximum number of failures listed per job. */
const maxFailures = 20;

/** Converts job rows to the API form. */
export async function toJobs(database: Database, rows: readonly JobRow[]): Promise<AnnotationJob[]> {
  const failed = rows.filter(({ failed }) => failed > 0);
  const [{ tenant_id } = { tenant_id: '' }] = failed;
  const ids = failed.map(({ id }) => id);
  const failures =
    ids.length === 0 ? [] : await jobItemRows.listFailures(database, tenant_id, ids, maxFailures);
  const now = new Date();
  return rows.map((row) => ({
    ...jobFacts(row, now),
    failures: failures
      .filter(({ job_id }) => job_id === row.id)
      .map(({ episode_id, error }) => ({ episode_id, error })),
  }));
}

/** Converts a job row to the API form and loads its failed episodes. */
export async function toJob(database: Database, row: JobRow): Promise<AnnotationJob> {
  return (await toJobs(database, [row]))[0];
}

function jobFacts(row: JobRow, now: Date): Omit<AnnotationJob, 'failures'> {
  const { total, done, failed, skipped } = row;
  return {
    id: row.id,
    project_id: row.project_id,
    layer: row.layer,
    status: row.status,
    origin: row.origin,
    run_id: row.run_id,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    episodes: { total, done, failed, skipped },
    config: row.config as AnnotationJob['config'],
    model: row.model,
    force: row.force,
    estimate: row.estimate === null ? null : estimateView(row.estimate),
    estimate_usd: row.estimate_usd,
    reserved_usd: row.reserved_usd,
    measured_usd: roundUsd(computeJobCost(row)),
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    compute_s: Math.round(row.compute_s * 1e6) / 1e6,
    devices: deviceCosts(row),
    device_note: row.device_note,
    narrowed_from: row.narrowed_from,
    attempts: row.attempts,
    error: row.error,
    waiting: row.waiting,
    eta_s: jobEta(row, now),
  };
}

/** Returns the estimated seconds until the job ends, from its pace so far; null if unknown. */
function jobEta({ status, total, done, failed, skipped, started_at }: JobRow, now: Date): number | null {
  if (hasEnded(status) || status === 'cancelling') return null;
  const finished = done + failed;
  const spent_s = (now.getTime() - (started_at ?? now).getTime()) / 1000;
  if (finished === 0 || spent_s < 0.3) return null;
  return Math.round((spent_s / finished) * (total - finished - skipped) * 1000) / 1000;
}

/** Returns the progress of a job. */
function jobProgress(row: JobRow, episode_id: string | null, now: Date): AnnotationJobProgress {
  return {
    job_id: row.id,
    done: row.done + row.failed,
    total: row.total,
    episode_id,
    eta_s: jobEta(row, now),
  };
}

/** Returns the error for a missing job; the same for another project's or tenant's, so that ids do not leak. */
export const jobNotFound = (): AssayError =>
  new AssayError('not_found', 'no job with this id in the project', {
    advice: 'GET /v1/projects/{project_id}/annotation/jobs lists them',
  });

/** Reference to a job. */
export interface JobRef {
  readonly tenant_id: string;
  readonly job_id: string;
}

/** Returns the reference of a job row. */
export const jobRef = ({ tenant_id, id }: Pick<JobRow, 'tenant_id' | 'id'>): JobRef => ({
  tenant_id,
  job_id: id,
});

/** Returns the job reference of a queued item, without validating it. */
export const parseJobRef = ({ tenant_id, job_id }: JsonObject): JobRef => ({
  tenant_id: String(tenant_id),
  job_id: String(job_id),
});

/** Combines a database and a job reference to the argument that repositories take. */
export const jobWork = ({ database }: Pick<Store, 'database'>, { tenant_id, job_id }: JobRef): JobWork => ({
  database,
  tenant_id,
  job_id,
});

/** Returns true if a job's status is final: succeeded, partial, failed or cancelled. */
export const hasEnded = (status: string): boolean =>
  status === 'succeeded' || status === 'partial' || status === 'failed' || status === 'cancelled';

/** Stream of the events of a project's jobs. */
export const jobEvents = createEventStreams<JobEventCursor, JobEventRow>({
  read: jobEventRows.readJobEvents,
  matches: (row, cursor) => row.project_id === cursor.project_id && row.tenant_id === cursor.tenant_id,
});

type Named = Pick<JobRow, 'tenant_id' | 'project_id' | 'layer' | 'id'>;

/** Returns the key prefix of the artifacts of a project's layer. */
export const layerPrefix = ({ tenant_id, project_id, layer }: Omit<Named, 'id'>): string =>
  `${tenant_id}/annotations/${project_id}/${layer}`;

/** Returns the key prefix of a job's artifacts. */
export const artifactPrefix = (job: Named): string => `${layerPrefix(job)}/${job.id}`;

type EventStore = Pick<Store, 'database'>;

/**
 * Updates a job's row, publishes the job as an event, and returns the row; called in the transaction that locks it. Must come
 * after all other locks of the transaction except the audit chain.
 */
export async function updateJob(store: EventStore, row: JobRow, change: Partial<JobRow>): Promise<JobRow> {
  const { database } = store;
  const changed = await jobRows.updateJob({ sql: database.sql, tenant_id: row.tenant_id }, row.id, change);
  await publishJob(store, changed);
  return changed;
}

/** Publishes the current state of a job as an event and returns it in the API form. */
export async function publishJob(store: EventStore, row: JobRow): Promise<AnnotationJob> {
  const job = await toJob(store.database, row);
  await addEvent(store, row, 'job', JSON.stringify(job));
  return job;
}

/** Publishes the progress of a locked job, with its last finished episode, as an event. */
export async function publishJobProgress(
  store: EventStore,
  row: JobRow,
  last_episode: string | null,
): Promise<void> {
  await addEvent(store, row, 'progress', JSON.stringify(jobProgress(row, last_episode, new Date())));
}

async function addEvent(
  { database }: EventStore,
  { tenant_id, project_id, id }: JobRow,
  event: 'job' | 'progress',
  data: string,
): Promise<void> {
  await jobEventRows.addJobEvent(database, { tenant_id, project_id, job_id: id }, event, data);
  database.afterCommit(() => jobEvents.wake(database));
}
