import type { Database } from '../../database/database.ts';

export interface JobEventRow {
  readonly id: number;
  readonly tenant_id: string;
  readonly project_id: string;
  readonly event: 'job' | 'progress';
  readonly data: unknown;
}

interface OfJob {
  readonly tenant_id: string;
  readonly project_id: string;
  readonly job_id: string;
}

/** Progress events that are kept of a job under way; older ones say nothing that newer ones do not. */
const progressKept = 20;

/**
 * Adds an event, as JSON. Other transactions that add to the same project wait for this one to end, so that ids grow as
 * they are seen; whoever locks a job or a budget as well does that before.
 */
export async function addJobEvent(
  database: Database,
  { tenant_id, project_id, job_id }: OfJob,
  event: JobEventRow['event'],
  data: string,
): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`job_events ${project_id}`]);
  await database.query(
    `INSERT INTO job_events (tenant_id, project_id, job_id, event, data, at) VALUES ($1, $2, $3, $4, $5::jsonb, now())`,
    [tenant_id, project_id, job_id, event, data],
  );
}

/** Forgets old progress of a job; all of it when nothing more will come. */
export async function pruneJobProgress(
  database: Database,
  { tenant_id, job_id }: Pick<OfJob, 'tenant_id' | 'job_id'>,
  kept: 'some' | 'none',
): Promise<void> {
  await database.query(
    `DELETE FROM job_events WHERE tenant_id = $1 AND job_id = $2 AND event = 'progress' AND id NOT IN (
       SELECT id FROM job_events WHERE tenant_id = $1 AND job_id = $2 AND event = 'progress' ORDER BY id DESC LIMIT $3)`,
    [tenant_id, job_id, kept === 'none' ? 0 : progressKept],
  );
}

/** Id of a project's newest event; 0 where it has none. */
export async function lastJobEvent(
  database: Database,
  { tenant_id, project_id }: Pick<OfJob, 'tenant_id' | 'project_id'>,
): Promise<number> {
  const { rows } = await database.query(
    'SELECT coalesce(max(id), 0) AS id FROM job_events WHERE tenant_id = $1 AND project_id = $2',
    [tenant_id, project_id],
  );
  return rows[0].id;
}

export interface JobEventCursor {
  readonly tenant_id: string;
  readonly project_id: string;
  /** Events after this one are wanted. */
  readonly after: number;
}

/** What one look gives at most. */
const eventsAtOnce = 500;

/** What happened after each cursor, in the order of ids, and whether there may be more. */
export async function readJobEvents(
  database: Database,
  cursors: readonly JobEventCursor[],
): Promise<{ readonly rows: JobEventRow[]; readonly more: boolean }> {
  const { rows } = await database.query(
    `SELECT e.id, e.tenant_id, e.project_id, e.event, e.data FROM json_to_recordset($1::json)
       AS c (tenant_id text, project_id text, after bigint)
     JOIN job_events e ON e.tenant_id = c.tenant_id AND e.project_id = c.project_id AND e.id > c.after
     ORDER BY e.id LIMIT ${eventsAtOnce}`,
    [JSON.stringify(cursors)],
  );
  return { rows, more: rows.length === eventsAtOnce };
}
