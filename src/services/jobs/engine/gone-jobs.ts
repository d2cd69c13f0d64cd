import type { Database } from '#store';
import type { JobRef } from '../job-ref.ts';

/** Ids of those jobs that want no more work. */
export async function goneJobs(database: Database, refs: readonly JobRef[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(
    `SELECT r.job_id FROM json_to_recordset($1::json) AS r (tenant_id text, job_id text)
     LEFT JOIN jobs ON jobs.tenant_id = r.tenant_id AND jobs.id = r.job_id AND jobs.status = 'running'
     WHERE jobs.id IS NULL`,
    [JSON.stringify(refs)],
  );
  return new Set(rows.map(({ job_id }) => job_id));
}
