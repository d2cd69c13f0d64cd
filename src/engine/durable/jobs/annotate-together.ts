import type { JobRow } from '#store';
import type { Engine } from '../engine.ts';
import { beginWork } from '../held-work.ts';
import { tellAnnotating } from '../runs/layers/tell-annotating.ts';
import { ThreadLost } from '../threads/work-thread.ts';
import { annotatePlaces } from './annotate-places.ts';
import { concludeIfIdle } from './conclude-step.ts';
import { jobKind } from './job-kind.ts';
import { refOfJob } from './job-ref.ts';
import type { JobRange } from './queue-ranges.ts';

/**
 * Annotates a range in all its jobs at once. `apart`: each job must do what is left by itself, since one was cancelled
 * meanwhile or something went wrong, which each then meets and says; `lost`: so, and a thread died over it.
 */
export async function annotateTogether(
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
