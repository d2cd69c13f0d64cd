import { type RunError, runRows } from '#store';
import type { Failure } from '#work';
import type { Engine } from './engine.ts';
import type { RunRef } from './run-ref.ts';
import { changeRun, withRun } from './with-run.ts';

/** Writes down what a run waits for, or that it goes on. Where that cannot be written, the wait is told by its end. */
export async function tellWaiting(engine: Engine, ref: RunRef, failure: Failure | null): Promise<void> {
  const waiting = failure === null ? null : waitOf(failure);
  try {
    const { sql } = engine.store.database;
    const row = await runRows.getRun({ sql, tenant_id: ref.tenant_id }, ref.run_id);
    if (row === null || row.waiting?.message === waiting?.message) return;
    engine.log.warn({ ...ref, ...waiting }, waiting === null ? 'the run goes on' : 'the run waits');
    await withRun(engine, ref, row.stage, (run) => changeRun(engine, run, { waiting }));
  } catch {
    engine.log.warn({ ...ref, ...waiting }, 'the run waits, and the database is away as well');
  }
}

const waitOf = ({ code, message, path, advice }: Failure): RunError => ({ code, message, path, advice });
