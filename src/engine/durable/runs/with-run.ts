import type { RunRow, RunWork } from '#store';
import type { Engine } from '../engine.ts';
import { withWork } from '../held-work.ts';
import { runKind } from './run-kind.ts';
import { type RunRef, workOf } from './run-ref.ts';

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
