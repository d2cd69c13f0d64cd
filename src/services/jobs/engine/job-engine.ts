import type { QueuedJob } from '#store';
import { WorkWatch } from '../../runs/engine/work-watch.ts';
import { type JobRef, refOf } from '../job-ref.ts';
import { concludeStep } from './conclude-step.ts';
import { burySharedStretch, doSharedStretch, isShared } from './do-shared-stretch.ts';
import { buryStretch, doStretch } from './do-stretch.ts';
import type { JobEngine } from './engine.ts';
import { goneJobs } from './gone-jobs.ts';
import { sweepStep } from './sweep-job.ts';

/** Takes work of annotation jobs from the queue, until `close`. */
export async function startJobEngine(
  parts: Omit<JobEngine, 'watch'>,
): Promise<{ readonly close: () => void }> {
  const { store } = parts;
  const watch = new WorkWatch<JobRef>({
    keyOf: ({ job_id }) => job_id,
    gone: (refs) => goneJobs(store.database, refs),
    onProgress: async () => {},
  });
  const engine: JobEngine = { ...parts, watch };
  const doEither = (job: QueuedJob) => (isShared(job.data) ? doSharedStretch : doStretch)(engine, job);
  await store.queue.work('job_stretches', doEither, {
    // One more than can be worked on: it is taken from the queue while the others are.
    at_once: parts.threads.threads + 1,
    onDead: (data, reason) => (isShared(data) ? burySharedStretch : buryStretch)(engine, data, reason),
  });
  await store.queue.work('job_steps', (job) => doStep(engine, job));
  return { close: () => watch.close() };
}

async function doStep(engine: JobEngine, { data }: QueuedJob): Promise<void> {
  if (data.step === 'conclude') await concludeStep(engine, refOf(data));
  else await sweepStep(engine, refOf(data));
}
