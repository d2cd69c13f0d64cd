import { type Database, type RunRow, runRows } from '#store';
import type { WorkKind } from '../engine.ts';
import { withWork } from '../held-work.ts';
import { endRun } from './end-run.ts';
import { tellProgress } from './progress.ts';
import { type RunRef, runKey } from './run-ref.ts';
import { changeRun } from './tell-run.ts';

/** Runs: begun, held, told of and ended alike by every step. */
export const runKind: WorkKind<RunRef, RunRow> = {
  noun: 'run',
  tryAgain: 'resume the run',
  keyOf: runKey,
  read: (scope, { run_id }) => runRows.getRun(scope, run_id),
  lock: (scope, { run_id }) => runRows.lockRun(scope, run_id),
  stateOf: ({ attempt, status }, ref) => {
    const isOpen = attempt === ref.attempt && (status === 'queued' || status === 'running');
    return isOpen ? status : 'over';
  },
  start: (store, run, now) =>
    changeRun(store, run, {
      status: 'running',
      started_at: run.started_at ?? now,
      stage_started_at: now,
    }),
  setWaiting: (store, run, waiting) => changeRun(store, run, { waiting }),
  fail: endRun,
  gone: goneRuns,
  tellProgress: async (engine, ref) => {
    await withWork(engine, runKind, ref, async (run) => {
      if (run.stage === 'measure' || run.stage === 'judge') await tellProgress(engine, run);
    });
  },
};

async function goneRuns(database: Database, refs: readonly RunRef[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(
    `SELECT r.* FROM json_to_recordset($1::json) AS r (tenant_id text, run_id text, attempt int)
     LEFT JOIN runs ON runs.tenant_id = r.tenant_id AND runs.id = r.run_id AND runs.attempt = r.attempt
       AND runs.status = 'running'
     WHERE runs.id IS NULL`,
    [JSON.stringify(refs)],
  );
  return new Set((rows as RunRef[]).map(runKey));
}
