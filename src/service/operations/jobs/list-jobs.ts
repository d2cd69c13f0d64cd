import { idPattern } from '#core';
import type { AnnotationJob, JobLayerId } from '#core/api';
import { jobsOf } from '#engine';
import { jobRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';

export interface JobQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly layer?: JobLayerId | undefined;
  readonly status?: AnnotationJob['status'] | undefined;
}

/** A project's jobs, newest first. Throws `not_found`. */
export async function listJobs(store: Store, call: Call, query: JobQuery): Promise<Page<AnnotationJob>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const rows = await jobRows.listJobs(scope, {
    project_id: query.project_id,
    layer: query.layer ?? null,
    status: query.status ?? null,
    before: readCursor(query.cursor, idPattern('job')),
    limit: query.limit + 1,
  });
  const { items, next_cursor } = pageOfRows(
    rows,
    query.limit,
    ({ id }) => id,
    (row) => row,
  );
  return { items: await jobsOf(store.database, items), next_cursor };
}
