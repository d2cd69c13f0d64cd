import type { AnnotationJob } from '#contract';
import { AssayError } from '#kernel';
import { type JobRow, jobRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { stopJob } from './end-job.ts';
import { hasEnded } from './job-ref.ts';
import { changeJob } from './tell-job.ts';
import { jobOf, noJob } from './views.ts';

/** Workers hear of it within a second; who has not let go by then, has died. */
const patience_s = 5;

/**
 * Cancels a job: what is done stays, the rest is skipped and what was put aside for it is given back. A job that workers
 * are at is `cancelling` until they have let go. Throws `not_found`, `conflict` for a job that has ended.
 */
export async function cancelJob(
  store: Store,
  call: Call,
  { project_id, job_id }: { readonly project_id: string; readonly job_id: string },
): Promise<AnnotationJob> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const row = await jobRows.lockJob(scope, job_id);
    if (row === null || row.project_id !== project_id) throw noJob();
    if (row.status === 'cancelled' || row.status === 'cancelling') return jobOf(store.database, row);
    if (hasEnded(row.status)) {
      throw new AssayError('conflict', `the job has ended: ${row.status}`, {
        details: { status: row.status },
      });
    }
    const cancelled = await cancelHeld(store, row);
    const job = await jobOf(store.database, cancelled);
    await appendAudit(store, call, {
      action: 'cancel_job',
      object_type: 'job',
      object_id: job_id,
      before: { status: row.status },
      after: { status: cancelled.status, episodes: { ...job.episodes } },
      detail: { project_id },
    });
    return job;
  });
}

/** Cancels a job that is held and has not ended, nor is being cancelled. */
export async function cancelHeld(store: Store, row: JobRow): Promise<JobRow> {
  if (row.status === 'queued') return stopJob(store, row, { status: 'cancelled', error: null });
  const ref = { tenant_id: row.tenant_id, job_id: row.id };
  await store.queue.send('job_steps', [{ ...ref, step: 'conclude' }], { after_s: patience_s });
  return changeJob(store, row, { status: 'cancelling' });
}
