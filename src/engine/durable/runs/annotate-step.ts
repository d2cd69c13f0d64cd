import { AssayError } from '#core';
import { jobRows, projectRows, type RunLayer, type RunRow } from '#store';
import type { WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { hasEnded } from '../jobs/job-ref.ts';
import { queueRanges } from '../jobs/queue-ranges.ts';
import { finishStep } from './finish-step.ts';
import { layersAfter } from './layers/layer-state.ts';
import { openLayer } from './layers/open-layer.ts';
import type { RunRef } from './run-ref.ts';
import { changeRun } from './tell-run.ts';
import { withRun } from './with-run.ts';

/** Episodes of a range: each is read once for all layers, so that larger ones cost less than those of a single layer. */
const mostTogether = 512;

/**
 * Opens a job for each layer of the run that waits for one, and concludes the run when none is left; due when all is
 * judged, and each time that one of its jobs has ended.
 */
export async function annotateStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): Promise<void> {
  const done = await withRun(engine, ref, 'annotate', (run) => advance(engine, run), context.stop);
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
  await changeRun(store, run, { layers });
  const running = layers.filter(({ status }) => status === 'running');
  const job_ids = running.map(({ jobs }) => jobs.at(-1)!);
  if (job_ids.length === 0) return true;
  const of = {
    ...{ tenant_id: run.tenant_id, run_id: run.id, job_ids },
    layers: running.map(({ layer }) => layer),
  };
  await queueRanges(store, of, { count: run.episodes_judged, most: mostTogether });
  return false;
}
