import { AssayError, idPattern } from '#core';
import type { Run } from '#core/api';
import type { Finding } from '#core/episode';
import { pageRunFindings, runEvents, runNotFound, stopRun, toRun } from '#engine';
import {
  parseEventId,
  projectRows,
  type RunRow,
  runEventRows,
  runRows,
  type Store,
  type TenantScope,
} from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';

/** Filters and page of a project's runs. */
export interface RunQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly source_id?: string | undefined;
  readonly status?: Run['status'] | undefined;
}

/** Lists a project's runs, newest first. Throws `not_found`. */
export async function listRuns(store: Store, call: Call, query: RunQuery): Promise<Page<Run>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const rows = await runRows.listRuns(scope, {
    project_id: query.project_id,
    source_id: query.source_id ?? null,
    status: query.status ?? null,
    before: readCursor(query.cursor, idPattern('run')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, toRun);
}

/** Returns a run. Throws `not_found`. */
export async function getRun(
  store: Store,
  call: Call,
  { run_id }: { readonly run_id: string },
): Promise<Run> {
  requireRole(call, 'viewer');
  return toRun(await loadRun(scopeOf(store, call), run_id));
}

/**
 * Cancels a run and the jobs of its layers, audits this and returns the run. After the commit workers can write nothing of it;
 * finished annotations are kept. A cancelled run is returned unchanged. Throws `not_found`, `conflict` for a run that has
 * ended.
 */
export async function cancelRun(
  store: Store,
  call: Call,
  { run_id }: { readonly run_id: string },
): Promise<Run> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const row = await runRows.lockRun(scope, run_id);
    if (row === null) throw runNotFound();
    if (row.status === 'cancelled') return toRun(row);
    if (row.status !== 'queued' && row.status !== 'running') {
      throw new AssayError('conflict', `the run has already ended (${row.status})`, {
        details: { status: row.status },
      });
    }
    const end = { status: 'cancelled', error: null, finished_at: call.now } as const;
    const cancelled = toRun(await stopRun(store, row, end));
    await appendAudit(store, call, {
      action: 'cancel_run',
      object_type: 'run',
      object_id: run_id,
      before: { status: row.status, stage: row.stage },
      after: { status: 'cancelled', stage: row.stage },
      detail: { project_id: row.project_id },
    });
    return cancelled;
  });
}

/** Page of a run's findings. */
interface FindingQuery {
  readonly run_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Lists the findings of a run about its source and datasets, worst first. The list is complete once all episodes are judged.
 * Throws `not_found`, `invalid_request` for a cursor of another list.
 */
export async function listRunFindings(
  store: Store,
  call: Call,
  { run_id, limit, cursor }: FindingQuery,
): Promise<Page<Finding>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const run = await loadRun(scope, run_id);
  const from = Number(readCursor(cursor, /^\d{1,9}$/) ?? 0);
  const work = { database: store.database, tenant_id: scope.tenant_id, run_id };
  const rows = await pageRunFindings(work, run, { from, limit: limit + 1 });
  return pageOfRows(
    rows,
    limit,
    () => String(from + limit),
    (finding) => finding,
  );
}

/** An event of a run. */
interface RunStreamEvent {
  readonly id: string;
  readonly event: 'run' | 'progress' | 'finding';
  readonly data: unknown;
}

const finalStatuses = new Set(['succeeded', 'partial', 'failed', 'cancelled']);

/**
 * Streams the events of a run until it has ended: first its current state, or, with `last_event_id`, every event
 * since then once. Throws `not_found`, `invalid_request` for an id that no event has.
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
  const from = last_event_id === undefined ? null : parseEventId(last_event_id);
  return followRun(store, { tenant_id: scope.tenant_id, run_id }, from, signal);
}

async function* followRun(
  store: Store,
  of: { readonly tenant_id: string; readonly run_id: string },
  from: number | null,
  signal: AbortSignal,
): AsyncGenerator<RunStreamEvent> {
  const { database } = store;
  let after = from ?? 0;
  // Read after the last event id, so that the run is at least as new as that event.
  if (from === null) after = await runEventRows.lastRunEvent(database, of, of.run_id);
  const run = toRun(await loadRun({ sql: database.sql, tenant_id: of.tenant_id }, of.run_id));
  if (from === null) yield { id: String(after), event: 'run', data: run };
  const over = finalStatuses.has(run.status);
  if (over && (from === null || (await runEventRows.lastRunEvent(database, of, of.run_id)) <= after)) return;
  for await (const { id, event, data } of runEvents.follow(database, { ...of, after }, signal)) {
    yield { id: String(id), event, data };
    if (event === 'run' && finalStatuses.has((data as { status: string }).status)) {
      const last = await runEventRows.lastRunEvent(database, of, of.run_id);
      if (last <= id) return;
    }
  }
}

/** Loads a run of the tenant. Throws `not_found`. */
export async function loadRun(scope: TenantScope, run_id: string): Promise<RunRow> {
  const row = await runRows.getRun(scope, run_id);
  if (row === null) throw runNotFound();
  return row;
}
