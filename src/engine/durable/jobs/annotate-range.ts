import type { JsonObject } from '#core';
import type { JobLayerId } from '#core/api';
import { jobItemRows, jobRows, type Places, type QueuedJob, type RunError } from '#store';
import { patiently } from '../../patience.ts';
import { doRange, type RangeStep } from '../do-range.ts';
import { doWork } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { annotatePlaces } from './annotate-places.ts';
import { annotateTogether } from './annotate-together.ts';
import { concludeIfIdle } from './conclude-step.ts';
import { concludeJob } from './end-job.ts';
import { jobKind } from './job-kind.ts';
import { type JobRef, workOf } from './job-ref.ts';
import { type JobRange, queueApart, queuedRange } from './queue-ranges.ts';
import { withJob } from './with-job.ts';

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
