import { AssayError, type JsonObject } from '#core';
import type { Run, RunProgress } from '#core/api';
import type { Finding, Kind } from '#core/episode';
import {
  createEventStreams,
  type EventCursor,
  type JobRow,
  type RunEventRow,
  type RunRow,
  type RunWork,
  runEventRows,
  runRows,
  type Store,
} from '#store';

/** Converts a run row to the API form. */
export function toRun(row: RunRow): Run {
  return {
    id: row.id,
    project_id: row.project_id,
    source_id: row.source_id,
    type: row.type,
    base_run_id: row.base_run_id,
    status: row.status,
    stage: row.stage,
    attempt: row.attempt,
    settings: row.settings,
    kind_override: row.kind_override,
    kind: row.kind,
    kinds: kindCounts(row.kinds),
    plan_hash: row.plan_hash,
    episodes: {
      expected: row.episodes_expected,
      measured: row.episodes_measured,
      judged: row.episodes_judged,
      unreadable: row.episodes_unreadable,
    },
    decisions: { accept: row.accepted, review: row.to_review, reject: row.rejected },
    usability: row.usability,
    loader: row.loader,
    bytes: { expected: row.bytes_expected, measured: row.bytes_measured, fetched: row.bytes_fetched },
    source_revision: row.source_revision,
    layers: row.layers.map(({ jobs, config: _, ...layer }) => ({
      ...layer,
      job_id: jobs.at(-1) ?? null,
      compute_s: round(layer.compute_s),
    })),
    compute_s: round(row.layers.reduce((sum, layer) => sum + layer.compute_s, row.compute_s)),
    cost_usd: row.cost_usd,
    error: row.error,
    waiting: row.waiting,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

function kindCounts(kinds: RunRow['kinds']): Run['kinds'] {
  return Object.entries(kinds)
    .map(([kind, episodes]) => ({ kind: kind as Kind, episodes }))
    .sort((a, b) => b.episodes - a.episodes || (a.kind < b.kind ? -1 : 1));
}

/**
 * Returns the progress of measuring or judging, including uncommitted work, with its rate (0 before anything is done)
 * and the remaining seconds (null if unknown).
 */
export function runProgress(
  row: RunRow,
  uncommitted: { readonly episodes: number; readonly bytes: number; readonly fetched: number },
  now: Date,
): RunProgress {
  const measuring = row.stage === 'measure';
  const committed = measuring ? row.episodes_measured + row.episodes_unreadable : row.episodes_judged;
  const total = measuring ? row.episodes_expected : row.episodes_measured;
  const done = Math.min(committed + uncommitted.episodes, Math.max(total, committed));
  const bytes_done = Math.min(row.bytes_measured + (measuring ? uncommitted.bytes : 0), row.bytes_expected);
  const spent_s = (now.getTime() - (row.stage_started_at ?? now).getTime()) / 1000;
  // With a single episode, bytes are the better measure.
  const share = total > 1 || !measuring ? done / total : bytes_done / row.bytes_expected;
  return {
    run_id: row.id,
    stage: row.stage,
    done,
    total,
    bytes_done,
    bytes_total: row.bytes_expected,
    bytes_fetched: row.bytes_fetched + uncommitted.fetched,
    episodes_per_s: spent_s > 0 ? round(Math.max(0, done - row.stage_base) / spent_s) : 0,
    eta_s: share > 0 && share <= 1 && spent_s > 0.3 ? round((spent_s * (1 - share)) / share) : null,
  };
}

/** Returns the annotation progress of a run from all its jobs, including those from before a resume. */
export function annotationProgress(row: RunRow, jobs: readonly JobRow[], now: Date): RunProgress {
  const done = jobs.reduce((sum, job) => sum + job.done + job.failed + job.skipped, 0);
  const total = jobs.reduce((sum, job) => sum + job.total, 0);
  const spent_s = (now.getTime() - (row.stage_started_at ?? now).getTime()) / 1000;
  return {
    run_id: row.id,
    stage: row.stage,
    done,
    total,
    bytes_done: row.bytes_measured,
    bytes_total: row.bytes_expected,
    bytes_fetched: row.bytes_fetched,
    episodes_per_s: spent_s > 0 ? round(done / spent_s) : 0,
    eta_s: done > 0 && spent_s > 0.3 ? round((spent_s * (total - done)) / done) : null,
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Returns the error for a missing run; the same for another tenant's, so that ids do not leak. */
export const runNotFound = (): AssayError =>
  new AssayError('not_found', 'no run with this id', {
    advice: 'GET /v1/projects/{project_id}/runs lists them',
  });

/** Reference to an attempt at a run. */
export interface RunRef {
  readonly tenant_id: string;
  readonly run_id: string;
  readonly attempt: number;
}

/** Returns a key that is unique per run and attempt. */
export const runKey = ({ run_id, attempt }: RunRef): string => `${run_id}:${attempt}`;

/** Returns the reference of a run row. */
export const runRef = ({ tenant_id, id, attempt }: Pick<RunRow, 'tenant_id' | 'id' | 'attempt'>) => ({
  ...{ tenant_id, run_id: id, attempt },
});

/** Parses the run reference of a queued item; `attempt` is null for the newest one. */
export const parseRunRef = ({ tenant_id, run_id, attempt }: JsonObject) => ({
  tenant_id: String(tenant_id),
  run_id: String(run_id),
  attempt: attempt === undefined ? null : Number(attempt),
});

/** Combines a database and a run reference to the argument that repositories take. */
export const runWork = (
  { database }: Pick<Store, 'database'>,
  { tenant_id, run_id }: Pick<RunRef, 'tenant_id' | 'run_id'>,
): RunWork => ({ database, tenant_id, run_id });

/** Stream of run events. */
export const runEvents = createEventStreams<EventCursor, RunEventRow>({
  read: async (database, cursors) => {
    const rows = await runEventRows.readRunEvents(database, cursors);
    return { rows, more: rows.length === runEventRows.maxEventsPerRead };
  },
  matches: (row, cursor) => row.run_id === cursor.run_id && row.tenant_id === cursor.tenant_id,
});

type EventStore = Pick<Store, 'database'>;
type RunId = Pick<RunRow, 'tenant_id' | 'id'>;

/** Updates the row of a locked run, publishes the run as an event, and returns the row. */
export async function updateRun(
  store: EventStore,
  { tenant_id, id }: RunId,
  change: Partial<RunRow>,
): Promise<RunRow> {
  const { database } = store;
  const run = await runRows.updateRun({ sql: database.sql, tenant_id }, id, change);
  await addRunEvents(store, run, 'run', [JSON.stringify(toRun(run))]);
  return run;
}

/** Adds events to a locked run, and wakes their subscribers after the commit; each element of `data` is the JSON of one event. */
export async function addRunEvents(
  { database }: EventStore,
  { tenant_id, id }: RunId,
  event: 'run' | 'progress' | 'finding',
  data: readonly string[],
): Promise<void> {
  await runEventRows.addRunEvents(database, { tenant_id, run_id: id }, event, data);
  database.afterCommit(() => runEvents.wake(database));
}

/** Maximum number of findings published as events; the run's list has all. */
const maxFindings = 100;

/** Publishes the first 100 findings as events of a run. */
export async function publishFindings(
  store: EventStore,
  run: RunId,
  findings: readonly Finding[],
): Promise<void> {
  const events = findings.slice(0, maxFindings).map((one) => JSON.stringify(one));
  await addRunEvents(store, run, 'finding', events);
}
