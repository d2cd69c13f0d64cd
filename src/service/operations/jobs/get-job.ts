import type { AnnotationJob } from '#core/api';
import { jobOf, noJob } from '#engine';
import { jobRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';

/** One job of a project. Throws `not_found`. */
export async function getJob(
  store: Store,
  call: Call,
  { project_id, job_id }: { readonly project_id: string; readonly job_id: string },
): Promise<AnnotationJob> {
  requireRole(call, 'viewer');
  const row = await jobRows.getJob(scopeOf(store, call), job_id);
  if (row === null || row.project_id !== project_id) throw noJob();
  return jobOf(store.database, row);
}
