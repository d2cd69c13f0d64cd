import {
  budgetRows,
  type Database,
  jobRows,
  type RunError,
  type RunRow,
  type RunWork,
  runEventRows,
  runRows,
  type Store,
} from '#store';
import { withRunningWork } from '../do-work.ts';
import { type Engine, orphanDelay_s, type WorkKind } from '../engine.ts';
import { cancelLockedJob } from '../jobs/end-job.ts';
import { hasEnded } from '../jobs/job.ts';
import { addRunEvents, type RunRef, runKey, runProgress, runRef, runWork, updateRun } from './run.ts';
import { computeRunCost, settleRun } from './run-costs.ts';
import { cancelLayers, updateLayers } from './run-layers.ts';
import { noteQueueBefore, reportRunEnd } from './run-notices.ts';
import { runTraffic, unstoredBytes } from './run-traffic.ts';

/**
 * Runs `act` in a transaction with the locked run, and returns its result; null unless the run is running in this attempt and
 * stage.
 */
export async function withRun<T>(
  engine: Engine,
  ref: RunRef,
  stage: RunRow['stage'],
  act: (run: RunRow, rows: RunWork) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  const inStage = async (run: RunRow) => (run.stage === stage ? act(run, runWork(engine.store, ref)) : null);
  return withRunningWork(engine, runKind, ref, inStage, signal);
}

/** Minimum time between two progress events of a run. */
const progressInterval_ms = 300;
/** Number of progress events after which old ones are deleted. */
const pruneEvery = 20;

const progressCounts = new WeakMap<Engine, number>();

/**
 * Publishes the progress of a locked run as an event, including uncommitted work of this process; does nothing within 300 ms
 * of the last time.
 */
export async function publishRunProgress(engine: Engine, run: RunRow): Promise<void> {
  const now = new Date();
  if (run.progress_at !== null && now.getTime() - run.progress_at.getTime() < progressInterval_ms) return;
  const { database } = engine.store;
  const { tenant_id, id } = run;
  const ref = runRef(run);
  const uncommitted = {
    ...engine.watch.uncommitted('run', runKey(ref)),
    fetched: unstoredBytes(engine, ref),
  };
  await runRows.updateRun({ sql: database.sql, tenant_id }, id, { progress_at: now });
  await addRunEvents(engine.store, run, 'progress', [JSON.stringify(runProgress(run, uncommitted, now))]);
  const published = (progressCounts.get(engine) ?? 0) + 1;
  progressCounts.set(engine, published);
  if (published % pruneEvery === 0)
    await runEventRows.pruneProgress(database, { tenant_id, run_id: id }, 'latest');
}

/** Fails a locked run; measured and judged units stay. */
async function failRun({ store }: Engine, _: RunRef, run: RunRow, error: RunError): Promise<void> {
  await stopRun(store, run, { status: 'failed', error, finished_at: new Date() });
}

/** Runs as a kind of work. */
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
  start: async (store, run, now) => {
    if (run.stage === 'judge') await noteQueueBefore(store, run);
    return updateRun(store, run, {
      status: 'running',
      started_at: run.started_at ?? now,
      stage_started_at: now,
    });
  },
  setWaiting: (store, run, waiting) => updateRun(store, run, { waiting }),
  fail: failRun,
  findStopped: findStoppedRuns,
  transferredBytes: (engine, ref) => runTraffic(engine, ref).fetched_bytes,
  publishProgress: async (engine, ref) => {
    await withRunningWork(engine, runKind, ref, async (run) => {
      if (run.stage === 'measure' || run.stage === 'judge') await publishRunProgress(engine, run);
    });
  },
};

async function findStoppedRuns(database: Database, refs: readonly RunRef[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(
    `SELECT r.* FROM json_to_recordset($1::json) AS r (tenant_id text, run_id text, attempt int)
     LEFT JOIN runs ON runs.tenant_id = r.tenant_id AND runs.id = r.run_id AND runs.attempt = r.attempt
       AND runs.status = 'running'
     WHERE runs.id IS NULL`,
    [JSON.stringify(refs)],
  );
  return new Set((rows as RunRef[]).map(runKey));
}

/**
 * Ends a locked run early with `end` and returns its row: cancels the jobs of its layers, settles its budget, and schedules
 * the deletion of orphaned blobs.
 */
export async function stopRun(
  store: Store,
  run: RunRow,
  end: Pick<RunRow, 'status' | 'error' | 'finished_at'>,
): Promise<RunRow> {
  const { database } = store;
  const scope = { sql: database.sql, tenant_id: run.tenant_id };
  const jobs = run.layers.length === 0 ? [] : await jobRows.lockJobsOfRun(scope, run.id);
  const open = jobs.filter(({ status }) => !hasEnded(status));
  // Lock order: the budget before job events.
  if (open.length > 0) await budgetRows.lockBudget(scope, new Date());
  const settled = await settleRun(store, run);
  for (const job of open) if (job.status !== 'cancelling') await cancelLockedJob(store, job);
  const layers = cancelLayers(updateLayers(run.layers, jobs));
  const cost_usd = computeRunCost(store, { ...run, layers });
  await store.queue.send('run_steps', [{ ...runRef(run), step: 'sweep' }], { after_s: orphanDelay_s });
  const ended = await updateRun(store, run, { ...settled, layers, cost_usd, waiting: null, ...end });
  await reportRunEnd(store, ended);
  return ended;
}
