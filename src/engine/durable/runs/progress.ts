import { type RunRow, runEventRows, runRows } from '#store';
import type { Engine } from '../engine.ts';
import { refOfRun, runKey } from './run-ref.ts';
import { tellRun } from './tell-run.ts';
import { progressOf } from './views.ts';

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
