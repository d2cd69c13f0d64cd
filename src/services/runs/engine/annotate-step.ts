import { AssayError } from '#kernel';
import { jobRows, projectRows, type RunLayer, type RunRow } from '#store';
import { hasEnded } from '../../jobs/job-ref.ts';
import { layersAfter } from '../layer-state.ts';
import type { Engine } from './engine.ts';
import { finishStep } from './finish-step.ts';
import { openLayer } from './open-layer.ts';
import type { RunRef } from './run-ref.ts';
import type { StepContext } from './steps.ts';
import { changeRun, withRun } from './with-run.ts';

/**
 * Opens a job for each layer of the run that waits for one, and concludes the run when none is left; due when all is
 * judged, and each time that one of its jobs has ended.
 */
export async function annotateStep(engine: Engine, ref: RunRef, context: StepContext): Promise<void> {
  const { signal } = context;
  const done = await withRun(engine, ref, 'annotate', (run) => advance(engine, run), signal);
  if (done === true) await finishStep(engine, ref, context);
}

async function advance({ store }: Engine, run: RunRow): Promise<boolean> {
  const scope = { sql: store.database.sql, tenant_id: run.tenant_id };
  const jobs = await jobRows.listJobsOfRun(scope, run.id);
  // Also those of before it was resumed: their end comes here again.
  if (jobs.some(({ status }) => !hasEnded(status))) return false;
  const project = await projectRows.getProject(scope, run.project_id);
  if (project === null) throw new AssayError('not_found', 'the project is gone');
  const layers: RunLayer[] = [];
  for (const layer of layersAfter(run.layers, jobs))
    layers.push(layer.status === 'waiting' ? await openLayer(store, run, project, layer) : layer);
  await changeRun({ store }, run, { layers });
  return layers.every(({ status }) => status !== 'running');
}
