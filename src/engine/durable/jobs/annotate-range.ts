import type { JsonObject } from '#core';
import type { JobLayerId } from '#core/api';
import { type JobRow, jobItemRows, jobRows, type Places, type QueuedJob, runRows, type Store } from '#store';
import { retryQuietly } from '../../retry.ts';
import { abandonedEpisode, doRange, type RangeStep } from '../../threads/do-range.ts';
import { ThreadLost } from '../../threads/step-thread.ts';
import { doWork, startWork } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { addRunEvents, annotationProgress } from '../runs/run.ts';
import { annotatePlaces, jobKind, withJob } from './annotate-places.ts';
import { concludeJob, stopJob } from './end-job.ts';
import { type JobRef, jobRef, jobWork } from './job.ts';
import { type JobRange, parseRange, queueSeparately } from './queue-ranges.ts';

/** Batch size when retrying episodes after a process crashed on one of them. */
const retryBatch = 16;

/**
 * Annotates the remaining episodes of a range, in several layers at once, so that each is read once. After an error,
 * or if a process crashed on the range before, each layer is run alone.
 */
export function annotateRange(engine: Engine, queued: QueuedJob): Promise<void> {
  return annotate(engine, queued, parseRange(queued.data));
}

/**
 * Annotates the remaining episodes of a range as `annotateRange` does, in the layers of `lanes` only; the other layers are
 * queued again, each alone.
 */
export async function annotateOnlyLanes(
  engine: Engine,
  queued: QueuedJob,
  lanes: ReadonlySet<JobLayerId>,
): Promise<void> {
  const range = parseRange(queued.data);
  const part = (isOwn: boolean): JobRange => {
    const chosen = [...range.layers.keys()].filter((at) => lanes.has(range.layers[at]) === isOwn);
    const job_ids = chosen.map((at) => range.job_ids[at]);
    return { ...range, job_ids, layers: chosen.map((at) => range.layers[at]) };
  };
  await retryQuietly(engine, () => queueSeparately(engine.store, part(false)), queued.signal);
  await annotate(engine, queued, part(true));
}

async function annotate(engine: Engine, queued: QueuedJob, range: JobRange): Promise<void> {
  const { tenant_id, job_ids, places } = range;
  const outcome =
    job_ids.length > 1 && queued.attempt === 0
      ? await annotateTogether(engine, range, queued.signal)
      : 'apart';
  if (outcome === 'done') return;
  const again = queued.attempt > 0 || outcome === 'lost';
  for (const job_id of job_ids) {
    const ref = { tenant_id, job_id };
    await doWork(engine, jobKind, ref, queued, ({ row, signal }) => {
      const attempt = (own: Places, suspect: boolean) =>
        annotatePlaces(engine, { jobs: [row], places: own, suspect, signal, key: job_id });
      return doRange(rangeStep(engine, ref, signal, attempt), places, again);
    });
    // Handles a cancellation during the step or at its end.
    await concludeIfIdle(engine, ref);
  }
}

function rangeStep(
  engine: Engine,
  ref: JobRef,
  signal: AbortSignal,
  attempt: RangeStep['attempt'],
): RangeStep {
  const work = jobWork(engine.store, ref);
  return {
    retryBatch,
    listOpen: (places) => retryQuietly(engine, () => jobItemRows.listWaiting(work, places), signal),
    attempt,
    giveUp: (places, why) => giveUpEpisodes(engine, ref, places, why),
  };
}

/** Records episodes as failed; the rest of the job goes on. */
async function giveUpEpisodes(engine: Engine, ref: JobRef, places: Places, why: string): Promise<void> {
  const { store } = engine;
  await withJob(engine, ref, async (job, work) => {
    const failed = await jobItemRows.endWaiting(work, 'failed', abandonedEpisode(why), places);
    if (failed === 0) return;
    const scope = { sql: store.database.sql, tenant_id: job.tenant_id };
    const counted = await jobRows.updateJob(scope, job.id, { failed: job.failed + failed });
    const { total, done, skipped } = counted;
    if (done + counted.failed + skipped >= total) await concludeJob(store, counted);
  });
}

/**
 * Records the waiting episodes of a queued range as failed with `reason` in each of its jobs, and ends jobs that have nothing
 * left to do.
 */
export async function giveUpRange(engine: Engine, data: JsonObject, reason: string): Promise<void> {
  const { tenant_id, job_ids, places } = parseRange(data);
  for (const job_id of job_ids) await giveUpEpisodes(engine, { tenant_id, job_id }, places, reason);
}

/**
 * Annotates a range in all its jobs at once. Returns `apart` if each job must do the rest alone, since one was
 * cancelled or an error occurred (which each job then reports itself); `lost`: the same after a crashed thread.
 */
async function annotateTogether(
  engine: Engine,
  { tenant_id, run_id, job_ids, places }: JobRange,
  stop: AbortSignal,
): Promise<'done' | 'apart' | 'lost'> {
  const jobs: JobRow[] = [];
  for (const job_id of job_ids) {
    const job = await startWork(engine, jobKind, { tenant_id, job_id }, stop);
    if (job !== null) jobs.push(job);
  }
  if (jobs.length === 0) return 'apart';
  const refs = jobs.map(jobRef);
  const leases = refs.map((ref) => engine.watch.lease(jobKind, ref));
  const signal = AbortSignal.any([stop, ...leases.map((lease) => lease.signal)]);
  const tellRun = () => {
    if (run_id !== null) void publishAnnotationProgress(engine.store, { tenant_id, run_id }).catch(() => {});
  };
  try {
    const shared = { jobs, places, suspect: false, signal, key: run_id ?? jobs[0].id };
    await annotatePlaces(engine, { ...shared, onCommitted: tellRun });
    return 'done';
  } catch (thrown) {
    if (stop.aborted) throw thrown;
    return thrown instanceof ThreadLost ? 'lost' : 'apart';
  } finally {
    for (const lease of leases) lease.release();
    // Ends a cancelled job if this was its last worker.
    for (const ref of refs) await concludeIfIdle(engine, ref);
  }
}

/** Minimum time between two progress events of a run. */
const progressInterval_ms = 300;

/** Publishes the annotation progress of a run, unless that was done a moment ago; in its own transaction. */
async function publishAnnotationProgress(
  store: Store,
  { tenant_id, run_id }: { readonly tenant_id: string; readonly run_id: string },
): Promise<void> {
  const { database } = store;
  const scope = { sql: database.sql, tenant_id };
  const current = await runRows.getRun(scope, run_id);
  if (current === null || !isProgressDue(current.progress_at)) return;
  await database.transaction(async () => {
    const run = await runRows.lockRun(scope, run_id);
    if (run?.status !== 'running' || run.stage !== 'annotate' || !isProgressDue(run.progress_at)) return;
    const now = new Date();
    const progress = annotationProgress(run, await jobRows.listJobsOfRun(scope, run_id), now);
    await runRows.updateRun(scope, run_id, { progress_at: now });
    await addRunEvents(store, run, 'progress', [JSON.stringify(progress)]);
  });
}

const isProgressDue = (published_at: Date | null): boolean =>
  published_at === null || Date.now() - published_at.getTime() >= progressInterval_ms;

const cancelled = { status: 'cancelled', error: null } as const;

/** Ends a job that is being cancelled, once no worker holds an episode of it. */
async function concludeIfIdle(engine: Engine, ref: JobRef): Promise<void> {
  const { sql } = engine.store.database;
  const current = await jobRows.getJob({ sql, tenant_id: ref.tenant_id }, ref.job_id);
  if (current?.status !== 'cancelling') return;
  await withJob(engine, ref, async (job, work) => {
    if (job.status !== 'cancelling') return;
    if (!(await jobItemRows.hasClaimedItems(work))) await stopJob(engine.store, job, cancelled);
  });
}

/**
 * Ends a job that is being cancelled, even if workers still process episodes of it (they had time to release them); does
 * nothing with other jobs.
 */
export async function concludeStep(engine: Engine, ref: JobRef): Promise<void> {
  await withJob(engine, ref, async (job) => {
    if (job.status === 'cancelling') await stopJob(engine.store, job, cancelled);
  });
}
