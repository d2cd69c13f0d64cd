import type { RunRow, RunWork } from '#store';
import { runEventRows, runRows } from '#store';
import { runEvents } from '../follow-events.ts';
import { patiently } from '../threads/patience.ts';
import { runOf } from '../views.ts';
import { type Engine, workOf } from './engine.ts';
import type { RunRef } from './run-ref.ts';

type Stage = RunRow['stage'];

/**
 * Does something to a run in one transaction that holds its row, if it still runs, in this attempt and stage: null
 * where it does not. Waits for a database that does not answer; `work` may therefore be called more than once.
 */
export async function withRun<T>(
  engine: Engine,
  ref: RunRef,
  stage: Stage,
  work: (run: RunRow, rows: RunWork) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  const { database } = engine.store;
  return patiently(
    engine,
    () =>
      database.transaction(async () => {
        const run = await runRows.lockRun({ sql: database.sql, tenant_id: ref.tenant_id }, ref.run_id);
        if (run === null || run.attempt !== ref.attempt || run.status !== 'running' || run.stage !== stage)
          return null;
        return work(run, workOf(engine, ref));
      }),
    signal,
  );
}

/** Changes a run's row and tells of it. Inside `withRun`. */
export async function changeRun(
  { store }: Pick<Engine, 'store'>,
  { tenant_id, id }: Pick<RunRow, 'tenant_id' | 'id'>,
  change: Partial<RunRow>,
): Promise<RunRow> {
  const { database } = store;
  const run = await runRows.updateRun({ sql: database.sql, tenant_id }, id, change);
  await tell({ store }, run, 'run', [JSON.stringify(runOf(run))]);
  return run;
}

/** Adds events to a run that is held. */
export async function tell(
  { store }: Pick<Engine, 'store'>,
  { tenant_id, id }: Pick<RunRow, 'tenant_id' | 'id'>,
  event: 'run' | 'progress' | 'finding',
  data: readonly string[],
): Promise<void> {
  await runEventRows.addRunEvents(store.database, { tenant_id, run_id: id }, event, data);
  store.database.afterCommit(() => runEvents.wake(store.database));
}
