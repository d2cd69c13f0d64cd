import type { AnnotationJob, AnnotationJobProgress } from '#core/api';
import { jobEvents, jobsOf } from '#engine';
import { eventPlace, type JobEventCursor, jobEventRows, jobRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';

export type JobStreamEvent =
  | { readonly id: string; readonly event: 'snapshot'; readonly data: { items: AnnotationJob[] } }
  | { readonly id: string; readonly event: 'job'; readonly data: AnnotationJob }
  | { readonly id: string; readonly event: 'progress'; readonly data: AnnotationJobProgress }
  | { readonly event: 'heartbeat'; readonly data: { at: string } };

type Of = Pick<JobEventCursor, 'tenant_id' | 'project_id'>;

/**
 * What the jobs of a project say: first those that have not ended, or, after `last_event_id`, what has happened since,
 * each event once; it goes on until `signal`. Throws `not_found`, `invalid_request` for an id that no event has.
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
  const from = last_event_id === undefined ? null : eventPlace(last_event_id);
  const of = { tenant_id: scope.tenant_id, project_id };
  return withHeartbeats(events(store, of, from, signal), heartbeat, signal);
}

const heartbeat = (): JobStreamEvent => ({ event: 'heartbeat', data: { at: new Date().toISOString() } });

async function* events(
  { database }: Store,
  of: Of,
  from: number | null,
  signal: AbortSignal,
): AsyncGenerator<JobStreamEvent> {
  const last = await jobEventRows.lastJobEvent(database, of);
  let after = from ?? last;
  // A place beyond the last is of another database: nothing would ever come after it.
  if (from === null || from > last) {
    after = last;
    // Read after the newest event's id, so that the jobs are at least as new as that event.
    const rows = await jobRows.listOpenJobs({ sql: database.sql, tenant_id: of.tenant_id }, of.project_id);
    yield { id: String(after), event: 'snapshot', data: { items: await jobsOf(database, rows) } };
  }
  for await (const { id, event, data } of jobEvents.follow(database, { ...of, after }, signal)) {
    yield { id: String(id), event, data } as JobStreamEvent;
  }
}

const pause_ms = 15_000;

/** Events as they come, and a heartbeat whenever none has come for a while. */
async function* withHeartbeats<Event, Heartbeat>(
  events: AsyncGenerator<Event>,
  heartbeat: () => Heartbeat,
  signal: AbortSignal,
): AsyncGenerator<Event | Heartbeat> {
  let next = events.next();
  try {
    while (!signal.aborted) {
      const silence = Promise.withResolvers<'silent'>();
      const timer = setTimeout(() => silence.resolve('silent'), pause_ms);
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
