import { AssayError, type ErrorCode, limits } from '#core';
import type { AnnotationJob, EpisodeAnnotation } from '#core/api';
import {
  asksEndpoint,
  hasEnded,
  jobEvents,
  jobOf,
  type LanePlan,
  noJob,
  type OpenedJob,
  openJob,
  plannedJobSeconds,
  queueJob,
  tellJob,
} from '#engine';
import {
  episodeJobRows,
  type JobEventCursor,
  type JobRow,
  jobEventRows,
  jobRows,
  type Store,
  type TenantScope,
} from '#store';
import { framesTo } from '../annotation/frames-to.ts';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { getEpisodeAnnotation } from '../episodes/annotations/get-episode-annotation.ts';
import type { EpisodeLayer } from '../episodes/annotations/views.ts';
import { demandLane } from './demand-lane.ts';
import { demandWork } from './demand-work.ts';

export interface AnnotateEpisode extends EpisodeLayer {
  readonly force: boolean;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

export interface Waiting {
  /** Ends the wait; the job goes on. */
  readonly signal: AbortSignal;
  /** How long the job's end is waited for. */
  readonly patience_s?: number;
}

/** What is planned to take longer is queued, not waited for. */
const longest_s = limits.requests.annotation_work_s.value;
const usualPatience_s = limits.requests.annotation_wait_s.value;

/**
 * Runs one layer on one episode as a job of its own, waits for its end and gives what came out. While such a job is open
 * it is waited for by whoever asks the same. Throws as `demandLane` and `demandWork`, `budget_exceeded`,
 * `too_long_to_wait`, the reason for which the episode could not be annotated, and `busy` with the job's id where that
 * has not ended in time.
 */
export async function annotateEpisode(
  store: Store,
  call: Call,
  input: AnnotateEpisode,
  { signal, patience_s = usualPatience_s }: Waiting,
): Promise<EpisodeAnnotation> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const { project_id, episode_id } = input;
  const plan = await demandLane(store, scope, input);
  const of = { tenant_id: scope.tenant_id, project_id };
  // Before the job is seen open, so that its end comes after.
  const after = await jobEventRows.lastJobEvent(store.database, of);
  const row = await openEpisodeJob(store, call, scope, plan, input);
  const either = AbortSignal.any([signal, AbortSignal.timeout(patience_s * 1000)]);
  const job = await awaitJob(store, row, { ...of, after }, either);
  if (!hasEnded(job.status)) throw stillUnderWay(job);
  if (job.status !== 'succeeded') throw refusalOf(job, episode_id);
  return getEpisodeAnnotation(store, call, input);
}

/** The job of the episode that is open, or a new one. */
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
    if (opened === null) throw new AssayError('internal', 'a job of one episode has no twin');
    await demandWork(store, scope, plan, opened, episode_ids);
    demandShort(plan, opened, episode_id);
    const row = await queueJob(store, scope, plan, opened, call.now);
    await tellJob(store, row);
    await appendAudit(store, call, {
      action: 'annotate_episode',
      object_type: 'episode',
      object_id: episode_id,
      before: null,
      after: { job_id: row.id, layer: row.layer, estimate_usd: row.estimate_usd },
      detail: {
        ...{ project_id: row.project_id, layer: row.layer, job_id: row.id, force },
        ...framesTo(store, asksEndpoint(row.model)),
      },
    });
    return row;
  });
}

function demandShort(plan: LanePlan, { totals }: OpenedJob, episode_id: string): void {
  const estimate_s = Math.ceil(plannedJobSeconds(plan, totals));
  if (estimate_s <= longest_s) return;
  const { id: layer } = plan.row;
  throw new AssayError(
    'too_long_to_wait',
    `${layer} is expected to take about ${estimate_s} s on this episode; a request waits for at most ${longest_s} s of work`,
    {
      advice: `queue it: POST ${jobsPath(plan.project.id)} with {"layer": "${layer}", "episode_ids": ["${episode_id}"]}`,
      details: { layer, estimate_s, longest_s },
    },
  );
}

function stillUnderWay({ id, project_id, status }: AnnotationJob): AssayError {
  return new AssayError('busy', `the job ${id} is still ${status}; it goes on without this request`, {
    advice: `GET ${jobsPath(project_id)}/${id} tells when it has ended; the same request again waits for it`,
    details: { job_id: id, retry_after_s: 10 },
  });
}

const jobsPath = (project_id: string): string => `/v1/projects/${project_id}/annotation/jobs`;

/**
 * The job as it is at its end, by the project's events after `from`, which was read before the job was seen open; as it
 * is now, where `signal` aborts before. Throws `not_found` where it was deleted.
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
  if (now === null) throw noJob();
  return jobOf(database, now);
}

/** Reasons for which work can end that are an answer to whoever waits for it; all others are faults of the program. */
const answers: readonly ErrorCode[] = [
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

/** Why a job of one episode that has ended brought nothing, as an error of the closed list. */
function refusalOf(job: AnnotationJob, episode_id: string): AssayError {
  const details = { job_id: job.id, layer: job.layer };
  if (job.status === 'cancelled') {
    return new AssayError('conflict', 'the job was cancelled while its end was waited for', {
      advice: 'send the request again where it is still wanted',
      details,
    });
  }
  const reason = job.failures.find((one) => one.episode_id === episode_id)?.error ?? job.error;
  const message = reason?.message ?? 'the job gave no reason';
  const code = answers.find((known) => known === reason?.code) ?? 'internal';
  return new AssayError(code, `${job.layer} could not be made of the episode: ${message}`, {
    ...(reason?.advice == null ? {} : { advice: reason.advice }),
    details,
  });
}
