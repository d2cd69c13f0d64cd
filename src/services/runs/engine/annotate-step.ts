import { AssayError } from '#kernel';
import { jobRows, projectRows, type RunLayer, type RunRow } from '#store';
import { sharedStretch } from '../../jobs/engine/do-shared-stretch.ts';
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
  const job_ids = layers.filter(({ status }) => status === 'running').map(({ jobs }) => jobs.at(-1)!);
  if (job_ids.length === 0) return true;
  const of = { tenant_id: run.tenant_id, run_id: run.id, job_ids };
  const stretches = stretchesOf(run).map(([from, to]) => sharedStretch({ ...of, from, to }));
  await store.queue.send('job_stretches', stretches);
  return false;
}

/** A stretch is large, so that handing out costs nothing beside the work, and there are enough of them to be shared. */
const stretchEpisodes = { least: 8, most: 512 } as const;
const shares = 20;

/** Places of the run's episodes, cut up. */
function stretchesOf({ episodes_judged: count }: RunRow): [from: number, to: number][] {
  const { least, most } = stretchEpisodes;
  const size = Math.min(most, Math.max(least, Math.ceil(count / shares)));
  const stretches: [number, number][] = [];
  for (let from = 0; from < count; from += size) stretches.push([from, from + size - 1]);
  return stretches;
}
