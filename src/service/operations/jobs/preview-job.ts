import type { Store } from '#store';
import type { Call } from '../call.ts';
import { rehearse } from '../rehearse.ts';
import { type Enqueued, type EnqueueJob, enqueueJob } from './enqueue-job.ts';

/** The job as it would be queued, with its estimate; nothing is kept. Throws as `enqueueJob`. */
export function previewJob(store: Store, call: Call, input: EnqueueJob): Promise<Enqueued> {
  return rehearse(store, () => enqueueJob(store, call, input));
}
