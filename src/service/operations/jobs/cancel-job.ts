import { AssayError } from '#core';
import type { AnnotationJob } from '#core/api';
import { cancelHeld, hasEnded, jobOf, noJob } from '#engine';
import { jobRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';

/**
 * Cancels a job: what is done stays, the rest is skipped and what was reserved for it is given back. A job that workers
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
