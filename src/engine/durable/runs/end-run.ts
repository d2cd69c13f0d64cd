import type { RunError, RunRow } from '#store';
import type { Engine } from '../engine.ts';
import type { RunRef } from './run-ref.ts';
import { stopRun } from './stop-run.ts';

/** Ends a run that is held with the reason; what was measured and judged stays. */
export async function endRun({ store }: Engine, _: RunRef, run: RunRow, error: RunError): Promise<void> {
  await stopRun(store, run, { status: 'failed', error, finished_at: new Date() });
}
