import { AssayError } from '#core';
import type { Kind } from '#core/episode';
import { type LayerConfig, layerOf } from '#labels/annotation';
import { jobItemRows, type projectRows, type RunLayer, type RunRow, type Store } from '#store';
import { dropJob, openJob, payForJob } from '../../jobs/create-job.ts';
import { kindsFor, type LanePlan, planLane } from '../../jobs/lane-plan.ts';
import { tellJob } from '../../jobs/tell-job.ts';

type Opened = Pick<RunLayer, 'status' | 'jobs' | 'reason'>;

/**
 * Opens a job for a layer of a run, for every episode that the run judged, can carry it, and was not annotated by an
 * earlier job of the layer in the run. All others are annotated again, since not every source has a hash that would tell
 * that it is the same. In the transaction that holds the run, which hands its episodes out.
 */
export async function openLayer(
  store: Store,
  run: RunRow,
  project: projectRows.ProjectRow,
  layer: RunLayer,
): Promise<RunLayer> {
  return { ...layer, ...(await opened(store, run, project, layer)) };
}

async function opened(
  store: Store,
  run: RunRow,
  project: projectRows.ProjectRow,
  { layer, config, jobs }: RunLayer,
): Promise<Opened> {
  const scope = { sql: store.database.sql, tenant_id: run.tenant_id };
  const row = layerOf(layer);
  const of = { project_id: project.id, run_id: run.id, kinds: kindsFor(row, run.kind_override) };
  if (!(await jobItemRows.anyEpisode(store.database, run.tenant_id, of)))
    return { jobs, status: 'inapplicable', reason: null };
  const plan = await planOrReason(store, project, layer, config, run.kind_override);
  if (typeof plan === 'string') return { jobs, status: 'unavailable', reason: plan };
  const now = new Date();
  const { id: run_id, created_by } = run;
  const wishes = { origin: 'run', run_id, created_by, now, episode_ids: null, force: true } as const;
  const job = (await openJob(store, scope, plan, { ...wishes, done_by: jobs }))!;
  if (job.totals.items === 0) {
    await dropJob(store, job);
    return { jobs, status: 'succeeded', reason: null };
  }
  try {
    await tellJob(store, await payForJob(store, scope, plan, job, now));
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code !== 'budget_exceeded') throw thrown;
    await dropJob(store, job);
    return { jobs, status: 'skipped', reason: thrown.message };
  }
  return { jobs: [...jobs, job.row.id], status: 'running', reason: null };
}

async function planOrReason(
  store: Store,
  project: projectRows.ProjectRow,
  layer: RunLayer['layer'],
  config: RunLayer['config'],
  pinned_kind: Kind | null,
): Promise<LanePlan | string> {
  try {
    return await planLane(store, project, layerOf(layer), config as LayerConfig, pinned_kind);
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'layer_unavailable') return thrown.message;
    throw thrown;
  }
}
