import { AssayError, idPattern } from '#core';
import type { AnnotationJob, AnnotationJobProgress, JobLayerId } from '#core/api';
import { cancelLockedJob, hasEnded, jobEvents, jobNotFound, toJob, toJobs } from '#engine';
import { type JobEventCursor, jobEventRows, jobRows, parseEventId, projectRows, type Store } from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';

/** Filters and page of a project's jobs. */
export interface JobQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly layer?: JobLayerId | undefined;
  readonly status?: AnnotationJob['status'] | undefined;
}

/** Lists a project's jobs, newest first. Throws `not_found`. */
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
  return { items: await toJobs(store.database, items), next_cursor };
}

/** Returns a job of a project. Throws `not_found`. */
export async function getJob(
  store: Store,
  call: Call,
  { project_id, job_id }: { readonly project_id: string; readonly job_id: string },
): Promise<AnnotationJob> {
  requireRole(call, 'viewer');
  const row = await jobRows.getJob(scopeOf(store, call), job_id);
  if (row === null || row.project_id !== project_id) throw jobNotFound();
  return toJob(store.database, row);
}

/**
 * Cancels a job, audits this and returns it: finished episodes keep their annotation, the rest is skipped and its reservation
 * released. A job that workers are processing is `cancelling` until they have stopped; a cancelled one is returned unchanged.
 * Throws `not_found`, `conflict` for a job that has ended.
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
    if (row === null || row.project_id !== project_id) throw jobNotFound();
    if (row.status === 'cancelled' || row.status === 'cancelling') return toJob(store.database, row);
    if (hasEnded(row.status)) {
      throw new AssayError('conflict', `the job has already ended (${row.status})`, {
        details: { status: row.status },
      });
    }
    const cancelled = await cancelLockedJob(store, row);
    const job = await toJob(store.database, cancelled);
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

/** An event of a project's job stream. */
export type JobStreamEvent =
  | { readonly id: string; readonly event: 'snapshot'; readonly data: { items: AnnotationJob[] } }
  | { readonly id: string; readonly event: 'job'; readonly data: AnnotationJob }
  | { readonly id: string; readonly event: 'progress'; readonly data: AnnotationJobProgress }
  | { readonly event: 'heartbeat'; readonly data: { at: string } };

type ProjectScope = Pick<JobEventCursor, 'tenant_id' | 'project_id'>;

/**
 * Streams the job events of a project until `signal` aborts: first a snapshot of the open jobs, or, with
 * `last_event_id`, every event since then once. Throws `not_found`, `invalid_request` for an id that no event has.
 */
export async function streamJobs(
  store: Store,
  call: Call,
  { project_id, last_event_id }: { readonly project_id: string; readonly last_event_id?: string | undefined },
  signal: AbortSignal,
): Promise<AsyncGenerator<JobStreamEvent>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, project_id)) === null) throw noProject();
  const from = last_event_id === undefined ? null : parseEventId(last_event_id);
  const of = { tenant_id: scope.tenant_id, project_id };
  return withHeartbeats(followJobs(store, of, from, signal), heartbeat, signal);
}

const heartbeat = (): JobStreamEvent => ({ event: 'heartbeat', data: { at: new Date().toISOString() } });

async function* followJobs(
  { database }: Store,
  of: ProjectScope,
  from: number | null,
  signal: AbortSignal,
): AsyncGenerator<JobStreamEvent> {
  const last = await jobEventRows.lastJobEvent(database, of);
  let after = from ?? last;
  // An id beyond the last event belongs to another database, so start again with a snapshot.
  if (from === null || from > last) {
    after = last;
    // Read after the last event id, so that the jobs are at least as new as that event.
    const rows = await jobRows.listOpenJobs({ sql: database.sql, tenant_id: of.tenant_id }, of.project_id);
    yield { id: String(after), event: 'snapshot', data: { items: await toJobs(database, rows) } };
  }
  for await (const { id, event, data } of jobEvents.follow(database, { ...of, after }, signal)) {
    yield { id: String(id), event, data } as JobStreamEvent;
  }
}

const heartbeatInterval_ms = 15_000;

/** Yields events as they come, and a heartbeat after every `heartbeatInterval_ms` without one. */
async function* withHeartbeats<Event, Heartbeat>(
  events: AsyncGenerator<Event>,
  heartbeat: () => Heartbeat,
  signal: AbortSignal,
): AsyncGenerator<Event | Heartbeat> {
  let next = events.next();
  try {
    while (!signal.aborted) {
      const silence = Promise.withResolvers<'silent'>();
      const timer = setTimeout(() => silence.resolve('silent'), heartbeatInterval_ms);
      const got = await Promise.race([next, silence.promise]).finally(() => clearTimeout(timer));
      if (got === 'silent') yield heartbeat();
      else if (got.done === true) return;
      else {
        next = events.next();
        yield got.value;
      }
    }
  } finally {
    next.catch(() => {});
    void events.return(undefined).catch(() => {});
  }
}
