import type { JsonObject } from '#core';
import type { JobLayerId } from '#core/api';
import {
  type JobRow,
  jobItemRows,
  jobRows,
  type Places,
  type QueuedJob,
  type RunError,
  runRows,
  type Store,
} from '#store';
import { patiently } from '../../patience.ts';
import { doRange, type RangeStep } from '../do-range.ts';
import { doWork } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { beginWork } from '../held-work.ts';
import { tellRun } from '../runs/tell-run.ts';
import { annotatingOf } from '../runs/views.ts';
import { ThreadLost } from '../threads/work-thread.ts';
import { annotatePlaces, jobKind, withJob } from './annotate-places.ts';
import { concludeJob, stopJob } from './end-job.ts';
import { type JobRef, refOfJob, workOf } from './job-ref.ts';
import { type JobRange, queueApart, queuedRange } from './queue-ranges.ts';

/** Episodes that are tried together after a process has died of some of them. */
const together = 16;

/**
 * Annotates the episodes of a range that are still to be done. Several layers are done at once, so that each episode is
 * read once; where that does not go well, or a process died under it before, each layer is done by itself.
 */
export function annotateRange(engine: Engine, queued: QueuedJob): Promise<void> {
  return annotate(engine, queued, queuedRange(queued.data));
}

/** The same in some layers alone; what a range holds of others goes back first, to be taken layer by layer. */
export async function annotateOwn(
  engine: Engine,
  queued: QueuedJob,
  lanes: ReadonlySet<JobLayerId>,
): Promise<void> {
  const range = queuedRange(queued.data);
  const part = (isOwn: boolean): JobRange => {
    const chosen = [...range.layers.keys()].filter((at) => lanes.has(range.layers[at]) === isOwn);
    const job_ids = chosen.map((at) => range.job_ids[at]);
    return { ...range, job_ids, layers: chosen.map((at) => range.layers[at]) };
  };
  await patiently(engine, () => queueApart(engine.store, part(false)), queued.signal);
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
    // Cancelled while it was at it, or at its very end.
    await concludeIfIdle(engine, ref);
  }
}

function rangeStep(
  engine: Engine,
  ref: JobRef,
  signal: AbortSignal,
  attempt: RangeStep['attempt'],
): RangeStep {
  const work = workOf(engine.store, ref);
  return {
    together,
    open: (places) => patiently(engine, () => jobItemRows.listWaiting(work, places), signal),
    attempt,
    giveUp: (places, why) => giveUpEpisodes(engine, ref, places, why),
  };
}

/** Writes episodes down as failed; the rest of the job goes on. */
async function giveUpEpisodes(engine: Engine, ref: JobRef, places: Places, why: string): Promise<void> {
  const error: RunError = {
    code: 'limit_exceeded',
    message: `annotating it was given up: ${why}`,
    path: null,
    advice: 'look at the episode; the others were done without it',
  };
  const { store } = engine;
  await withJob(engine, ref, async (job, work) => {
    const failed = await jobItemRows.endWaiting(work, 'failed', error, places);
    if (failed === 0) return;
    const scope = { sql: store.database.sql, tenant_id: job.tenant_id };
    const counted = await jobRows.updateJob(scope, job.id, { failed: job.failed + failed });
    const { total, done, skipped } = counted;
    if (done + counted.failed + skipped >= total) await concludeJob(store, counted);
  });
}

/** A range that ended every process which took it. */
export async function buryRange(engine: Engine, data: JsonObject, reason: string): Promise<void> {
  const { tenant_id, job_ids, places } = queuedRange(data);
  for (const job_id of job_ids) await giveUpEpisodes(engine, { tenant_id, job_id }, places, reason);
}

/**
 * Annotates a range in all its jobs at once. `apart`: each job must do what is left by itself, since one was cancelled
 * meanwhile or something went wrong, which each then meets and says; `lost`: so, and a thread died over it.
 */
async function annotateTogether(
  engine: Engine,
  { tenant_id, run_id, job_ids, places }: JobRange,
  stop: AbortSignal,
): Promise<'done' | 'apart' | 'lost'> {
  const jobs: JobRow[] = [];
  for (const job_id of job_ids) {
    const job = await beginWork(engine, jobKind, { tenant_id, job_id }, stop);
    if (job !== null) jobs.push(job);
  }
  if (jobs.length === 0) return 'apart';
  const refs = jobs.map(refOfJob);
  const leases = refs.map((ref) => engine.watch.lease(jobKind, ref));
  const signal = AbortSignal.any([stop, ...leases.map((lease) => lease.signal)]);
  const tellRun = () => {
    if (run_id !== null) void tellAnnotating(engine.store, { tenant_id, run_id }).catch(() => {});
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
    // Cancelled, and this was the last that held episodes of it.
    for (const ref of refs) await concludeIfIdle(engine, ref);
  }
}

/** Between two progress events of a run. */
const pause_ms = 300;

/** Tells how far the layers of a run are, unless that was told a moment ago; in a transaction of its own. */
async function tellAnnotating(
  store: Store,
  { tenant_id, run_id }: { readonly tenant_id: string; readonly run_id: string },
): Promise<void> {
  const { database } = store;
  const scope = { sql: database.sql, tenant_id };
  const known = await runRows.getRun(scope, run_id);
  if (known === null || !isDue(known.progress_at)) return;
  await database.transaction(async () => {
    const run = await runRows.lockRun(scope, run_id);
    if (run?.status !== 'running' || run.stage !== 'annotate' || !isDue(run.progress_at)) return;
    const now = new Date();
    const progress = annotatingOf(run, await jobRows.listJobsOfRun(scope, run_id), now);
    await runRows.updateRun(scope, run_id, { progress_at: now });
    await tellRun(store, run, 'progress', [JSON.stringify(progress)]);
  });
}

const isDue = (told: Date | null): boolean => told === null || Date.now() - told.getTime() >= pause_ms;

const cancelled = { status: 'cancelled', error: null } as const;

/** Ends a job that is being cancelled, once no worker holds an episode of it. */
async function concludeIfIdle(engine: Engine, ref: JobRef): Promise<void> {
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
