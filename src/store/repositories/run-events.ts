import type { Database, TenantScope } from '../database/database.ts';

/** A stored event of a run. */
export interface RunEventRow {
  readonly id: number;
  readonly tenant_id: string;
  readonly run_id: string;
  readonly event: 'run' | 'progress' | 'finding';
  readonly data: unknown;
}

/** Progress events kept of a running run; older ones contain nothing that newer ones do not. */
const maxProgressEvents = 20;

/**
 * Inserts events of a run as JSON texts, without waking subscribers; the caller's transaction must hold the lock of the
 * run, so that events become visible in the order of their ids.
 */
export async function addRunEvents(
  database: Database,
  { tenant_id, run_id }: { readonly tenant_id: string; readonly run_id: string },
  event: RunEventRow['event'],
  data: readonly string[],
): Promise<void> {
  if (data.length === 0) return;
  await database.query(
    `INSERT INTO run_events (tenant_id, run_id, event, data, at)
     SELECT $1, $2, $3, one, now() FROM json_array_elements($4::json) AS one`,
    [tenant_id, run_id, event, `[${data.join()}]`],
  );
}

/** Deletes a run's progress events except the latest `maxProgressEvents`; with `none`, all of them. */
export async function pruneProgress(
  database: Database,
  { tenant_id, run_id }: { readonly tenant_id: string; readonly run_id: string },
  retain: 'latest' | 'none',
): Promise<void> {
  await database.query(
    `DELETE FROM run_events WHERE tenant_id = $1 AND run_id = $2 AND event = 'progress' AND id NOT IN (
       SELECT id FROM run_events WHERE tenant_id = $1 AND run_id = $2 AND event = 'progress'
       ORDER BY id DESC LIMIT $3)`,
    [tenant_id, run_id, retain === 'none' ? 0 : maxProgressEvents],
  );
}

/** Returns the id of the newest event of a run; 0 if there is none. */
export async function lastRunEvent(
  database: Database,
  { tenant_id }: Pick<TenantScope, 'tenant_id'>,
  run_id: string,
): Promise<number> {
  const { rows } = await database.query(
    'SELECT coalesce(max(id), 0) AS id FROM run_events WHERE tenant_id = $1 AND run_id = $2',
    [tenant_id, run_id],
  );
  return rows[0].id;
}

/** A position in the events of a run. */
export interface EventCursor {
  readonly tenant_id: string;
  readonly run_id: string;
  /** Events after this id are read. */
  readonly after: number;
}

/** Maximum number of events per read. */
export const maxEventsPerRead = 500;

/** Returns the events after each cursor in the order of ids, at most `maxEventsPerRead` together. */
export async function readRunEvents(
  database: Database,
  cursors: readonly EventCursor[],
): Promise<RunEventRow[]> {
  const { rows } = await database.query(
    `SELECT e.id, e.tenant_id, e.run_id, e.event, e.data FROM json_to_recordset($1::json)
       AS c (tenant_id text, run_id text, after bigint)
     JOIN run_events e ON e.tenant_id = c.tenant_id AND e.run_id = c.run_id AND e.id > c.after
     ORDER BY e.id LIMIT ${maxEventsPerRead}`,
    [JSON.stringify(cursors)],
  );
  return rows;
}
