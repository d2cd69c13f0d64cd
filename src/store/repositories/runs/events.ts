import type { Database } from '../../database/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export interface RunEventRow {
  readonly id: number;
  readonly tenant_id: string;
  readonly run_id: string;
  readonly event: 'run' | 'progress' | 'finding';
  readonly data: unknown;
}

/** Progress events that are kept of a run under way; older ones say nothing that newer ones do not. */
const progressKept = 20;

/** Adds events of one run, as JSON. The caller's transaction holds the run's row, so that ids grow as they are seen. */
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

/** Forgets old progress of a run; all of it when nothing more will come. */
export async function pruneProgress(
  database: Database,
  { tenant_id, run_id }: { readonly tenant_id: string; readonly run_id: string },
  kept: 'some' | 'none',
): Promise<void> {
  await database.query(
    `DELETE FROM run_events WHERE tenant_id = $1 AND run_id = $2 AND event = 'progress' AND id NOT IN (
       SELECT id FROM run_events WHERE tenant_id = $1 AND run_id = $2 AND event = 'progress'
       ORDER BY id DESC LIMIT $3)`,
    [tenant_id, run_id, kept === 'none' ? 0 : progressKept],
  );
}

/** Id of a run's newest event; 0 where it has none. */
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

export interface EventCursor {
  readonly tenant_id: string;
  readonly run_id: string;
  /** Events after this one are wanted. */
  readonly after: number;
}

/** What one look gives at most. */
export const eventsAtOnce = 500;

/** What happened after each cursor, in the order of ids. */
export async function readRunEvents(
  database: Database,
  cursors: readonly EventCursor[],
): Promise<RunEventRow[]> {
  const { rows } = await database.query(
    `SELECT e.id, e.tenant_id, e.run_id, e.event, e.data FROM json_to_recordset($1::json)
       AS c (tenant_id text, run_id text, after bigint)
     JOIN run_events e ON e.tenant_id = c.tenant_id AND e.run_id = c.run_id AND e.id > c.after
     ORDER BY e.id LIMIT ${eventsAtOnce}`,
    [JSON.stringify(cursors)],
  );
  return rows;
}
