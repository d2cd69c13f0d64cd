import type { LayerConfig } from '#annotation';
import { AssayError, type JsonObject } from '#kernel';
import { type JobRow, jobItemRows, jobRows, type Places, type QueuedJob, type RunError } from '#store';
import { patiently } from '../../runs/threads/patience.ts';
import type { AnnotatedPart, AnnotateTask } from '../../runs/threads/thread-messages.ts';
import { ThreadLost } from '../../runs/threads/work-thread.ts';
import { artifactPrefix } from '../artifact-prefix.ts';
import { concludeJob, stopJob } from '../end-job.ts';
import { type JobRef, refOf } from '../job-ref.ts';
import { changeJob } from '../tell-job.ts';
import { commitPart } from './commit-part.ts';
import { concludeIfIdle } from './conclude-step.ts';
import type { JobEngine } from './engine.ts';
import { tellWaiting } from './tell-waiting.ts';
import { withJob, workOf } from './with-job.ts';

/** An episode under which so many processes died, the last time alone, is given up. */
const mostDeaths = 2;
/** Episodes that are tried together after a process has died of a stretch. */
const together = 16;

/** Annotates the episodes of a stretch that are still to be done, while their job wants it. */
export async function doStretch(engine: JobEngine, queued: QueuedJob): Promise<void> {
  const ref = refOf(queued.data);
  const job = await begin(engine, ref, queued.signal);
  if (job === null) return concludeIfIdle(engine, ref);
  const lease = engine.watch.lease(ref);
  const signal = AbortSignal.any([lease.signal, queued.signal]);
  try {
    await doPlaces(engine, ref, job, { places: placesOf(queued.data), again: queued.attempt > 0, signal });
  } catch (thrown) {
    // Given back, or gone to another process already.
    if (queued.signal.aborted) throw thrown;
    if (!signal.aborted && !isCancelled(thrown)) await failJob(engine, ref, thrown);
  } finally {
    lease.release();
  }
  // Cancelled while it was at it, or at its very end.
  await concludeIfIdle(engine, ref);
}

const isCancelled = (thrown: unknown): boolean => thrown instanceof AssayError && thrown.code === 'cancelled';

function placesOf({ from, to, places }: JsonObject): Places {
  return Array.isArray(places) ? { places: places.map(Number) } : { from: Number(from), to: Number(to) };
}

/** The job as it is, running; null where it is over or being cancelled. */
export async function begin(engine: JobEngine, ref: JobRef, signal: AbortSignal): Promise<JobRow | null> {
  const { database } = engine.store;
  const scope = { sql: database.sql, tenant_id: ref.tenant_id };
  const known = await patiently(engine, () => jobRows.getJob(scope, ref.job_id), signal);
  if (known === null || known.status === 'running') return known;
  if (known.status !== 'queued') return null;
  return patiently(
    engine,
    () =>
      database.transaction(async () => {
        const job = await jobRows.lockJob(scope, ref.job_id);
        if (job?.status !== 'queued') return job?.status === 'running' ? job : null;
        return changeJob(engine.store, job, { status: 'running', started_at: new Date() });
      }),
    signal,
  );
}

interface StretchContext {
  readonly places: Places;
  /** A process died under it before. */
  readonly again: boolean;
  readonly signal: AbortSignal;
}

async function doPlaces(
  engine: JobEngine,
  ref: JobRef,
  job: JobRow,
  { places, again, signal }: StretchContext,
): Promise<void> {
  if (!again) return annotateItems(engine, ref, job, { places, suspect: false, signal });
  const work = workOf(engine.store, ref);
  const waiting = await patiently(engine, () => jobItemRows.listWaiting(work, places), signal);
  for (const own of suspectsOf(waiting)) {
    if (own.deaths < mostDeaths)
      await annotateItems(engine, ref, job, { places: own, suspect: true, signal });
    else await giveUp(engine, ref, own, 'its process ended each time that it was begun');
  }
}

/** Few together, and alone those under which a process died in such company before: so the one to blame is found soon. */
function suspectsOf(
  waiting: readonly { readonly place: number; readonly deaths: number }[],
): { readonly places: number[]; readonly deaths: number }[] {
  const groups: { readonly places: number[]; readonly deaths: number }[] = [];
  for (const { place, deaths } of waiting) {
    const last = groups.at(-1);
    if (deaths === 0 && last?.deaths === 0 && last.places.length < together) last.places.push(place);
    else groups.push({ places: [place], deaths });
  }
  return groups;
}

interface ItemsContext {
  readonly places: Places;
  /** Until it is over, it counts as a death of each of them. */
  readonly suspect: boolean;
  readonly signal: AbortSignal;
}

/** Again without the episode under which a thread was lost, until none is left. */
async function annotateItems(
  engine: JobEngine,
  ref: JobRef,
  job: JobRow,
  { places, suspect, signal }: ItemsContext,
): Promise<void> {
  const work = workOf(engine.store, ref);
  const { worker } = engine;
  for (;;) {
    const shared = { ...work, job_ids: [ref.job_id] };
    const claim = () => jobItemRows.claimItems(shared, worker, places, suspect);
    const { items, attempts } = await patiently(engine, claim, signal);
    const own = attempts[ref.job_id];
    if (own === undefined) return;
    try {
      await engine.threads.do(
        { type: 'annotate', key: ref.job_id, items, tasks: [taskOf(job, own)] },
        {
          signal,
          onPart: (part) => commitPart(engine, ref, part as AnnotatedPart, signal),
          onWaiting: (failure) => void tellWaiting(engine, ref, failure),
        },
      );
      return;
    } catch (thrown) {
      if (!(thrown instanceof ThreadLost) || thrown.place === null) throw thrown;
      await giveUp(engine, ref, { places: [thrown.place] }, thrown.message);
    } finally {
      await jobItemRows.releaseItems(work, worker, places, suspect).catch(() => {});
    }
  }
}

/** The work of a job on episodes that were taken for it. */
export const taskOf = (job: JobRow, attempts: AnnotateTask['attempts']): AnnotateTask => ({
  layer: job.layer,
  config: job.config as LayerConfig,
  prefix: artifactPrefix(job),
  attempts,
});

/** Writes episodes down as failed; the rest of the job goes on. */
async function giveUp(engine: JobEngine, ref: JobRef, places: Places, why: string): Promise<void> {
  const error: RunError = {
    code: 'limit_exceeded',
    message: `annotating it was given up: ${why}`,
    path: null,
    advice: 'look at the episode; the others were done without it',
  };
  await withJob(engine, ref, async (job, work) => {
    const failed = await jobItemRows.endWaiting(work, 'failed', error, places);
    if (failed === 0) return;
    const { sql } = engine.store.database;
    const counted = await jobRows.updateJob({ sql, tenant_id: job.tenant_id }, job.id, {
      failed: job.failed + failed,
    });
    const { total, done, skipped } = counted;
    if (done + counted.failed + skipped >= total) await concludeJob(engine.store, counted);
  });
}

/** A stretch that ended every process which took it. */
export async function buryStretch(engine: JobEngine, data: JsonObject, reason: string): Promise<void> {
  await giveUp(engine, refOf(data), placesOf(data), reason);
}

/** Ends a job with the reason; what is done stays. */
async function failJob(engine: JobEngine, ref: JobRef, thrown: unknown): Promise<void> {
  const error = workError(thrown);
  await withJob(engine, ref, (job) => stopJob(engine.store, job, { status: 'failed', error }));
}

function workError(thrown: unknown): RunError {
  if (thrown instanceof AssayError) {
    const { code, message, path, advice } = thrown;
    return { code, message, path, advice };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    code: 'internal',
    message: `a fault in the program: ${message}`,
    path: null,
    advice: 'queue the layer again; if it fails again, report it with the log of the service',
  };
}
