import { runEvents, runOf } from '#engine';
import { eventPlace, runEventRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { loadRun } from './load-run.ts';

export interface RunStreamEvent {
  readonly id: string;
  readonly event: 'run' | 'progress' | 'finding';
  readonly data: unknown;
}

const ended = new Set(['succeeded', 'partial', 'failed', 'cancelled']);

/**
 * What a run says, until it has ended: first the run as it is, or, after `last_event_id`, what has happened since, each
 * event once. Throws `not_found`, `invalid_request` for an id that no event has.
 */
export async function streamRun(
  store: Store,
  call: Call,
  { run_id, last_event_id }: { readonly run_id: string; readonly last_event_id?: string | undefined },
  signal: AbortSignal,
): Promise<AsyncGenerator<RunStreamEvent>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  await loadRun(scope, run_id);
  const from = last_event_id === undefined ? null : eventPlace(last_event_id);
  return events(store, { tenant_id: scope.tenant_id, run_id }, from, signal);
}

async function* events(
  store: Store,
  of: { readonly tenant_id: string; readonly run_id: string },
  from: number | null,
  signal: AbortSignal,
): AsyncGenerator<RunStreamEvent> {
  const { database } = store;
  let after = from ?? 0;
  // Read after the newest event's id, so that the run is at least as new as that event.
  if (from === null) after = await runEventRows.lastRunEvent(database, of, of.run_id);
  const run = runOf(await loadRun({ sql: database.sql, tenant_id: of.tenant_id }, of.run_id));
  if (from === null) yield { id: String(after), event: 'run', data: run };
  const over = ended.has(run.status);
  if (over && (from === null || (await runEventRows.lastRunEvent(database, of, of.run_id)) <= after)) return;
  for await (const { id, event, data } of runEvents.follow(database, { ...of, after }, signal)) {
    yield { id: String(id), event, data };
    if (event === 'run' && ended.has((data as { status: string }).status)) {
      const last = await runEventRows.lastRunEvent(database, of, of.run_id);
      if (last <= id) return;
    }
  }
}
