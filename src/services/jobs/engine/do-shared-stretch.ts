import type { JsonObject } from '#kernel';
import { type JobRow, jobItemRows, type QueuedJob } from '#store';
import { tellAnnotating } from '../../runs/tell-annotating.ts';
import { patiently } from '../../runs/threads/patience.ts';
import type { AnnotatedPart } from '../../runs/threads/thread-messages.ts';
import { ThreadLost } from '../../runs/threads/work-thread.ts';
import type { JobRef } from '../job-ref.ts';
import { commitPart } from './commit-part.ts';
import { concludeIfIdle } from './conclude-step.ts';
import { begin, buryStretch, doStretch, taskOf } from './do-stretch.ts';
import type { JobEngine } from './engine.ts';
import { tellWaiting } from './tell-waiting.ts';
import { workOf } from './with-job.ts';

/** Work of several jobs of a run on the same episodes: their places are the same in each. */
interface SharedStretch {
  readonly tenant_id: string;
  readonly run_id: string;
  readonly job_ids: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** A stretch of a run as it is queued. */
export const sharedStretch = (stretch: SharedStretch): JsonObject => ({
  ...stretch,
  job_ids: [...stretch.job_ids],
});

export const isShared = ({ job_ids }: JsonObject): boolean => Array.isArray(job_ids);

const stretchOf = (data: JsonObject): SharedStretch => data as unknown as SharedStretch;

const refsOf = ({ tenant_id, job_ids }: SharedStretch): JobRef[] =>
  job_ids.map((job_id) => ({ tenant_id, job_id }));

/**
 * Annotates the episodes of a stretch in all its layers at once, so that each is read once. Where that does not go well, or
 * a process died under it before, each layer is done by itself.
 */
export async function doSharedStretch(engine: JobEngine, queued: QueuedJob): Promise<void> {
  const stretch = stretchOf(queued.data);
  const { from, to } = stretch;
  let attempt = queued.attempt;
  if (attempt === 0) {
    try {
      if (await doTogether(engine, stretch, queued.signal)) return;
    } catch (thrown) {
      if (queued.signal.aborted) throw thrown;
      // Whatever it was, each layer by itself meets it and says so.
      if (thrown instanceof ThreadLost) attempt = 1;
    }
  }
  for (const ref of refsOf(stretch))
    await doStretch(engine, { ...queued, attempt, data: { ...ref, from, to } });
}

/** A stretch that ended every process which took it. */
export async function burySharedStretch(engine: JobEngine, data: JsonObject, reason: string): Promise<void> {
  const stretch = stretchOf(data);
  const { from, to } = stretch;
  for (const ref of refsOf(stretch)) await buryStretch(engine, { ...ref, from, to }, reason);
}

/** False where a layer was cancelled meanwhile, and the others were not all done. */
async function doTogether(engine: JobEngine, stretch: SharedStretch, stop: AbortSignal): Promise<boolean> {
  const jobs: JobRow[] = [];
  for (const ref of refsOf(stretch)) {
    const job = await begin(engine, ref, stop);
    if (job !== null) jobs.push(job);
  }
  const refs = jobs.map(({ tenant_id, id }) => ({ tenant_id, job_id: id }));
  const leases = refs.map((ref) => engine.watch.lease(ref));
  const signal = AbortSignal.any([stop, ...leases.map((lease) => lease.signal)]);
  try {
    await annotateTogether(engine, stretch, jobs, signal);
    return true;
  } catch (thrown) {
    for (const ref of refs) await giveBack(engine, ref, stretch);
    if (stop.aborted || !signal.aborted) throw thrown;
    return false;
  } finally {
    for (const lease of leases) lease.release();
    // Cancelled, and this was the last that held episodes of it.
    for (const ref of refs) await concludeIfIdle(engine, ref);
  }
}

/** Gives back what was not finished of a job. */
async function giveBack(engine: JobEngine, ref: JobRef, places: SharedStretch): Promise<void> {
  await jobItemRows.releaseItems(workOf(engine.store, ref), engine.worker, places, false).catch(() => {});
}

async function annotateTogether(
  engine: JobEngine,
  stretch: SharedStretch,
  jobs: readonly JobRow[],
  signal: AbortSignal,
): Promise<void> {
  const { tenant_id, run_id } = stretch;
  const shared = { database: engine.store.database, tenant_id, job_ids: jobs.map(({ id }) => id) };
  const claim = () => jobItemRows.claimItems(shared, engine.worker, stretch, false);
  const { items, attempts } = await patiently(engine, claim, signal);
  const due = jobs.filter(({ id }) => attempts[id] !== undefined);
  if (due.length === 0) return;
  const refs = due.map(({ id }): JobRef => ({ tenant_id, job_id: id }));
  const tasks = due.map((job) => taskOf(job, attempts[job.id]));
  await engine.threads.do(
    { type: 'annotate', key: run_id, items, tasks },
    {
      signal,
      onPart: async (part) => {
        const { task } = part as AnnotatedPart;
        const wanted = await commitPart(engine, refs[task], part as AnnotatedPart, signal);
        if (wanted) void tellAnnotating(engine.store, { tenant_id, run_id }).catch(() => {});
        return wanted;
      },
      onWaiting: (failure) => {
        for (const ref of refs) void tellWaiting(engine, ref, failure);
      },
    },
  );
}
