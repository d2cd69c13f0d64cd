import { type Database, type RunError, type RunRow, type RunWork, runEventRows, runRows } from '#store';
import type { Engine, WorkKind } from '../engine.ts';
import { withWork } from '../held-work.ts';
import { type RunRef, refOfRun, runKey, workOf } from './run-ref.ts';
import { stopRun } from './stop-run.ts';
import { changeRun, tellRun } from './tell-run.ts';
import { progressOf } from './views.ts';

/** Does something to a run that is held, if it still runs, in this attempt and stage: null where it does not. */
export async function withRun<T>(
  engine: Engine,
  ref: RunRef,
  stage: RunRow['stage'],
  act: (run: RunRow, rows: RunWork) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  const inStage = async (run: RunRow) => (run.stage === stage ? act(run, workOf(engine.store, ref)) : null);
  return withWork(engine, runKind, ref, inStage, signal);
}

/** Between two progress events of a run. */
const pause_ms = 300;
/** Progress events after which old ones are forgotten. */
const pruneEvery = 20;

const counts = new WeakMap<Engine, number>();

/** Tells how far a run that is held has come, with what this process has under way, unless it was told a moment ago. */
export async function tellProgress(engine: Engine, run: RunRow): Promise<void> {
  const now = new Date();
  if (run.progress_at !== null && now.getTime() - run.progress_at.getTime() < pause_ms) return;
  const { database } = engine.store;
  const { tenant_id, id } = run;
  const underWay = engine.watch.underWay('run', runKey(refOfRun(run)));
  await runRows.updateRun({ sql: database.sql, tenant_id }, id, { progress_at: now });
  await tellRun(engine.store, run, 'progress', [JSON.stringify(progressOf(run, underWay, now))]);
  const told = (counts.get(engine) ?? 0) + 1;
  counts.set(engine, told);
  if (told % pruneEvery === 0) await runEventRows.pruneProgress(database, { tenant_id, run_id: id }, 'some');
}

/** Ends a run that is held with the reason; what was measured and judged stays. */
async function endRun({ store }: Engine, _: RunRef, run: RunRow, error: RunError): Promise<void> {
  await stopRun(store, run, { status: 'failed', error, finished_at: new Date() });
}

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
