import { AssayError, messageOf } from '#kernel';
import { type RunError, type RunRow, runRows } from '#store';
import { WorkerLost } from '#work';
import { stopRun } from '../stop-run.ts';
import { straggling_s } from '../straggling.ts';
import { patiently } from '../threads/patience.ts';
import type { Engine } from './engine.ts';
import type { RunRef } from './run-ref.ts';

/** Ends a run with the reason; what was measured and judged stays. Does nothing where it runs no more. */
export async function failRun(engine: Engine, ref: RunRef, thrown: unknown): Promise<void> {
  const { database } = engine.store;
  await patiently(engine, () =>
    database.transaction(async () => {
      const run = await runRows.lockRun({ sql: database.sql, tenant_id: ref.tenant_id }, ref.run_id);
      const runs = run?.status === 'running' || run?.status === 'queued';
      if (run === null || !runs || run.attempt !== ref.attempt) return;
      await endRun(engine, ref, run, thrown);
    }),
  );
}

/** The same for a run that is held. */
export async function endRun(
  { store, log }: Engine,
  ref: RunRef,
  run: RunRow,
  thrown: unknown,
): Promise<void> {
  const error = runErrorOf(thrown);
  log.warn({ ...ref, ...error }, 'the run failed');
  await stopRun(store, run, { status: 'failed', error, finished_at: new Date() });
  await store.queue.send('run_steps', [{ ...ref, step: 'sweep' }], { after_s: straggling_s });
}

/** An error as a run keeps it: what a person needs, nothing of the program's inside. */
function runErrorOf(thrown: unknown): RunError {
  if (thrown instanceof AssayError) {
    const { code, message, path, advice } = thrown;
    return { code, message, path, advice };
  }
  if (thrown instanceof WorkerLost) {
    return {
      code: 'unfinished',
      message: `a thread of the run ${thrown.message}`,
      path: null,
      advice:
        'resume the run; where the same comes again, run parts of the source alone to find the files that end it',
    };
  }
  return {
    code: 'internal',
    message: `a fault in the program: ${messageOf(thrown)}`,
    path: null,
    advice: 'resume the run; if it fails again, report it with the log of the service',
  };
}
