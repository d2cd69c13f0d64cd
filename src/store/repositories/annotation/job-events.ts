import type { Database } from '../../database/database.ts';

/** A stored event of a job. */
export interface JobEventRow {
  readonly id: number;
  readonly tenant_id: string;
  readonly project_id: string;
  readonly event: 'job' | 'progress';
  readonly data: unknown;
}

interface JobRef {
  readonly tenant_id: string;
  readonly project_id: string;
  readonly job_id: string;
}

/** Progress events kept of a running job; older ones contain nothing that newer ones do not. */
const maxProgressEvents = 20;

/**
 * Adds an event (JSON text) and locks the events of the project: transactions that add further ones wait for this one to end,
 * so that events become visible in the order of their ids.
 * Jobs and budgets must be locked before.
 */
export async function addJobEvent(
  database: Database,
  { tenant_id, project_id, job_id }: JobRef,
  event: JobEventRow['event'],
  data: string,
): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`job_events ${project_id}`]);
  await database.query(
    `INSERT INTO job_events (tenant_id, project_id, job_id, event, data, at) VALUES ($1, $2, $3, $4, $5::jsonb, now())`,
    [tenant_id, project_id, job_id, event, data],
  );
}

/** Deletes the progress events of a job but for the newest `maxProgressEvents` (`some`), or all (`none`). */
export async function pruneJobProgress(
  database: Database,
  { tenant_id, job_id }: Pick<JobRef, 'tenant_id' | 'job_id'>,
  retain: 'some' | 'none',
): Promise<void> {
  await database.query(
    `DELETE FROM job_events WHERE tenant_id = $1 AND job_id = $2 AND event = 'progress' AND id NOT IN (
       SELECT id FROM job_events WHERE tenant_id = $1 AND job_id = $2 AND event = 'progress' ORDER BY id DESC LIMIT $3)`,
    [tenant_id, job_id, retain === 'none' ? 0 : maxProgressEvents],
  );
}

/** Returns the id of the newest event of any job of a project; 0 if there is none. */
export async function lastJobEvent(
  database: Database,
  { tenant_id, project_id }: Pick<JobRef, 'tenant_id' | 'project_id'>,
): Promise<number> {
  const { rows } = await database.query(
    'SELECT coalesce(max(id), 0) AS id FROM job_events WHERE tenant_id = $1 AND project_id = $2',
    [tenant_id, project_id],
  );
  return rows[0].id;
}

/** A position in the events of a project. */
export interface JobEventCursor {
  readonly tenant_id: string;
  readonly project_id: string;
  /** Events after this id are read. */
  readonly after: number;
}

/** Maximum number of events per read. */
const maxEventsPerRead = 500;

/** Returns the events after each cursor in the order of ids, at most 500 together; `more` is true if there may be more. */
export async function readJobEvents(
  database: Database,
  cursors: readonly JobEventCursor[],
): Promise<{ readonly rows: JobEventRow[]; readonly more: boolean }> {
  const { rows } = await database.query(
    `SELECT e.id, e.tenant_id, e.project_id, e.event, e.data FROM json_to_recordset($1::json)
       AS c (tenant_id text, project_id text, after bigint)
     JOIN job_events e ON e.tenant_id = c.tenant_id AND e.project_id = c.project_id AND e.id > c.after
     ORDER BY e.id LIMIT ${maxEventsPerRead}`,
    [JSON.stringify(cursors)],
  );
  return { rows, more: rows.length === maxEventsPerRead };
}
