import { AssayError, type ErrorCode, limits } from '#core';
import type { AnnotationJob, EpisodeAnnotation } from '#core/api';
import {
  estimateJob,
  hasEnded,
  jobEvents,
  jobNotFound,
  type LanePlan,
  openJob,
  publishJob,
  queueJob,
  toJob,
  usesVisionEndpoint,
} from '#engine';
import {
  episodeJobRows,
  type JobEventCursor,
  type JobRow,
  jobEventRows,
  jobRows,
  type Store,
  type StoredEstimate,
  type TenantScope,
} from '#store';
import { describeFrameRecipient } from '../annotation/vision-endpoint.ts';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type EpisodeLayer, getEpisodeAnnotation } from '../episodes/annotations.ts';
import { requireRunnableLane, requireWork } from './job-checks.ts';

/** A layer to run on one episode; `force` runs it even if the episode carries it. */
export interface AnnotateEpisode extends EpisodeLayer {
  readonly force: boolean;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/** Limits of the time that a request waits for a job. */
export interface WaitOptions {
  /** Ends the wait when aborted; the job continues. */
  readonly signal: AbortSignal;
  /** Longest wait in seconds. */
  readonly maxWait_s?: number;
}

/** Longest planned work in seconds that a request waits for; longer work must be queued. */
const maxWork_s = limits.requests.annotation_work_s.value;
const defaultWait_s = limits.requests.annotation_wait_s.value;

/**
 * Runs a layer on one episode as a job, waits for its end and returns the annotation. Concurrent requests for the
 * same episode and layer share the open job. Throws as `requireRunnableLane` and `requireWork`, `budget_exceeded`,
 * `too_long_to_wait`, the reason why the episode could not be annotated, and `busy` with the job's id if it has not
 * ended in time.
 */
export async function annotateEpisode(
  store: Store,
  call: Call,
  input: AnnotateEpisode,
  { signal, maxWait_s: wait_s = defaultWait_s }: WaitOptions,
): Promise<EpisodeAnnotation> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const { project_id, episode_id } = input;
  const plan = await requireRunnableLane(store, scope, input);
  const of = { tenant_id: scope.tenant_id, project_id };
  // Read before the job is looked up, so that its end comes after this event.
  const after = await jobEventRows.lastJobEvent(store.database, of);
  const row = await openEpisodeJob(store, call, scope, plan, input);
  const either = AbortSignal.any([signal, AbortSignal.timeout(wait_s * 1000)]);
  const job = await awaitJob(store, row, { ...of, after }, either);
  if (!hasEnded(job.status)) throw jobUnfinished(job);
  if (job.status !== 'succeeded') throw explainFailure(job, episode_id);
  return getEpisodeAnnotation(store, call, input);
}

/** Returns the open job of the episode, or a new one that it queues and audits. */
async function openEpisodeJob(
  store: Store,
  call: Call,
  scope: TenantScope,
  plan: LanePlan,
  { episode_id, force }: AnnotateEpisode,
): Promise<JobRow> {
  const work = { project_id: plan.project.id, episode_id, layer: plan.row.id };
  const episode_ids = [episode_id];
  return store.database.transaction(async () => {
    const { config_hash } = plan;
    const open = await episodeJobRows.lockEpisodeJob(scope, { ...work, config_hash });
    if (open !== null) return open;
    const created_by = actorId(call);
    const wishes = {
      origin: 'episode',
      run_id: null,
      created_by,
      now: call.now,
      episode_ids,
      force,
    } as const;
    const opened = await openJob(store, scope, plan, wishes);
    if (opened === null) throw new AssayError('internal', 'a job for one episode cannot have a duplicate');
    await requireWork(store, scope, plan, opened, episode_ids);
    const estimate = await estimateJob(store, plan, opened);
    requireShortWork(plan, estimate, episode_id);
    const row = await queueJob(store, scope, plan, opened, call.now, estimate);
    await publishJob(store, row);
    await appendAudit(store, call, {
      action: 'annotate_episode',
      object_type: 'episode',
      object_id: episode_id,
      before: null,
      after: { job_id: row.id, layer: row.layer, estimate_usd: row.estimate_usd },
      detail: {
        ...{ project_id: row.project_id, layer: row.layer, job_id: row.id, force },
        ...describeFrameRecipient(store, usesVisionEndpoint(row.model)),
      },
    });
    return row;
  });
}

function requireShortWork(
  plan: LanePlan,
  { compute_s }: Pick<StoredEstimate, 'compute_s'>,
  episode_id: string,
): void {
  const estimate_s = Math.ceil(compute_s);
  if (estimate_s <= maxWork_s) return;
  const { id: layer } = plan.row;
  throw new AssayError(
    'too_long_to_wait',
    `${layer} is estimated to take ${estimate_s} s on this episode; a request waits for at most ${maxWork_s} s of work`,
    {
      advice: `queue a job instead with POST ${jobsPath(plan.project.id)} and {"layer": "${layer}", "episode_ids": ["${episode_id}"]}`,
      details: { layer, estimate_s, longest_s: maxWork_s },
    },
  );
}

function jobUnfinished({ id, project_id, status }: AnnotationJob): AssayError {
  return new AssayError('busy', `the job ${id} is still ${status} and continues in the background`, {
    advice: `check its progress with GET ${jobsPath(project_id)}/${id}, or repeat the request to keep waiting`,
    details: { job_id: id, retry_after_s: 10 },
  });
}

const jobsPath = (project_id: string): string => `/v1/projects/${project_id}/annotation/jobs`;

/**
 * Follows the project's events after `from` until the job has ended and returns it; returns its current state if
 * `signal` aborts first. `from` must have been read before the job was looked up. Throws `not_found` if the job was
 * deleted.
 */
async function awaitJob(
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
  if (now === null) throw jobNotFound();
  return toJob(database, now);
}

/** Job errors that are passed on to the caller; all others are reported as `internal`. */
const reportableCodes: readonly ErrorCode[] = [
  'not_found',
  'unreadable_input',
  'unsupported_version',
  'limit_exceeded',
  'media_failed',
  'not_permitted',
  'layer_unavailable',
  'budget_exceeded',
  'storage_unavailable',
  'database_unavailable',
  'busy',
  'rate_limited',
  'endpoint_unavailable',
  'endpoint_failed',
];

/** Returns the error for a job that ended without an annotation of the episode. */
function explainFailure(job: AnnotationJob, episode_id: string): AssayError {
  const details = { job_id: job.id, layer: job.layer };
  if (job.status === 'cancelled') {
    return new AssayError('conflict', 'the job was cancelled', {
      advice: 'send the request again if you still need the annotation',
      details,
    });
  }
  const reason = job.failures.find((one) => one.episode_id === episode_id)?.error ?? job.error;
  const message = reason?.message ?? 'no reason given';
  const code = reportableCodes.find((known) => known === reason?.code) ?? 'internal';
  return new AssayError(code, `${job.layer} failed on the episode: ${message}`, {
    ...(reason?.advice == null ? {} : { advice: reason.advice }),
    details,
  });
}
