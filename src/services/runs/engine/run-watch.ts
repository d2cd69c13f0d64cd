import type { Database } from '#store';
import type { RunRef } from './run-ref.ts';
import { WorkWatch } from './work-watch.ts';

export type RunWatch = WorkWatch<RunRef>;

const keyOf = ({ run_id, attempt }: RunRef): string => `${run_id}:${attempt}`;

/** Looks after the runs that this process works on: cancelled, failed or resumed elsewhere they are let go. */
export function watchRuns(database: Database, onProgress: (ref: RunRef) => Promise<void>): RunWatch {
  return new WorkWatch({ keyOf, onProgress, gone: (refs) => goneRuns(database, refs) });
}

async function goneRuns(database: Database, refs: readonly RunRef[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(
    `SELECT r.run_id || ':' || r.attempt AS key FROM json_to_recordset($1::json)
       AS r (tenant_id text, run_id text, attempt int)
     LEFT JOIN runs ON runs.tenant_id = r.tenant_id AND runs.id = r.run_id AND runs.attempt = r.attempt
       AND runs.status = 'running'
     WHERE runs.id IS NULL`,
    [JSON.stringify(refs)],
  );
  return new Set(rows.map(({ key }) => key));
}
