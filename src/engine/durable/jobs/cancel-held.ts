import type { JobRow, Store } from '#store';
import { stopJob } from './end-job.ts';
import { changeJob } from './tell-job.ts';

/** Workers hear of it within a second; who has not let go by then, has died. */
const patience_s = 5;

/** Cancels a job that is held and has not ended, nor is being cancelled. */
export async function cancelHeld(store: Store, row: JobRow): Promise<JobRow> {
  if (row.status === 'queued') return stopJob(store, row, { status: 'cancelled', error: null });
  const ref = { tenant_id: row.tenant_id, job_id: row.id };
  await store.queue.send('job_steps', [{ ...ref, step: 'conclude' }], { after_s: patience_s });
  return changeJob(store, row, { status: 'cancelling' });
}
