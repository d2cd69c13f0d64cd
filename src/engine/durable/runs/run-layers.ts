import { AssayError } from '#core';
import type { Finding, Kind } from '#core/episode';
import { type LayerConfig, layerOf } from '#labels/annotation';
import { type JobRow, jobItemRows, type projectRows, type RunLayer, type RunRow, type Store } from '#store';
import { roundUsd } from '../../budget/ledger.ts';
import { dropJob, openJob, reserveForJob } from '../jobs/create-job.ts';
import { hasEnded, publishJob } from '../jobs/job.ts';
import { computeJobCost } from '../jobs/job-costs.ts';
import { applicableKinds, type LanePlan, planLane } from '../jobs/lane-plan.ts';

type LayerOutcome = Pick<RunLayer, 'status' | 'jobs' | 'reason'>;

/**
 * Opens a job for a layer of a run with every judged episode to which it applies, and returns the layer as running; as
 * inapplicable, unavailable, skipped or succeeded if there is nothing to run. Existing annotations of other runs are replaced,
 * since not every source has a hash to detect that it is unchanged. In the transaction that locks the run; the caller queues
 * the episodes.
 */
export async function openLayer(
  store: Store,
  run: RunRow,
  project: projectRows.ProjectRow,
  layer: RunLayer,
): Promise<RunLayer> {
  return { ...layer, ...(await openLayerJob(store, run, project, layer)) };
}

async function openLayerJob(
  store: Store,
  run: RunRow,
  project: projectRows.ProjectRow,
  { layer, config, jobs }: RunLayer,
): Promise<LayerOutcome> {
  const scope = { sql: store.database.sql, tenant_id: run.tenant_id };
  const row = layerOf(layer);
  const of = {
    project_id: project.id,
    run_id: run.id,
    stream_kinds: applicableKinds(row, run.kind_override),
  };
  if (!(await jobItemRows.hasEpisodes(store.database, run.tenant_id, of)))
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
    await publishJob(store, await reserveForJob(store, scope, plan, job, now));
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

/**
 * Returns a finding for each layer of a finished run that was unavailable, skipped or incomplete. None of them makes the run
 * fail.
 */
export function layerFindings(layers: readonly RunLayer[]): Finding[] {
  return layers.flatMap((layer) => {
    const finding = layerFinding(layer);
    if (finding === null) return [];
    const job_id = layer.jobs.at(-1) ?? null;
    return [{ ...finding, path: null, evidence: { layer: layer.layer, job_id } }];
  });
}

/** Returns the finding (severity `info`) for a layer that is set to run within runs but cannot run here. */
export const unavailableLayer = (layer: string, reason: string): Finding => ({
  code: 'layer_unavailable',
  severity: 'info',
  path: null,
  message: `${layer} should run in every run but cannot run here: ${reason}`,
  advice: `GET annotation/status shows what is missing; set modes.${layer} to on_demand or off to turn this finding off`,
  evidence: { layer },
});

function layerFinding({ layer, status, reason }: RunLayer): Omit<Finding, 'path'> | null {
  const advice = `POST annotation/jobs with {"layer": "${layer}"} annotates the remaining episodes`;
  if (status === 'unavailable') {
    const { code, severity, message, advice } = unavailableLayer(layer, reason ?? '');
    return { code, severity, message, advice };
  }
  if (status === 'skipped') {
    const message = `${layer} did not run, because the budget does not allow it: ${reason}`;
    return {
      code: 'layer_skipped',
      severity: 'warning',
      message,
      advice: `raise the cap or wait; ${advice}`,
    };
  }
  if (status !== 'partial' && status !== 'failed' && status !== 'cancelled') return null;
  const message = `${layer} is missing for some episodes of the run: ${reason}`;
  return { code: 'layer_incomplete', severity: 'warning', message, advice };
}

/**
 * Returns the layers with the total time and cost of all their jobs; a running layer whose newest job has ended takes the
 * status of that job.
 */
export function updateLayers(layers: readonly RunLayer[], jobs: readonly JobRow[]): RunLayer[] {
  return layers.map((layer) => {
    const own = jobs.filter((job) => job.layer === layer.layer);
    const newest = own.find(({ id }) => id === layer.jobs.at(-1));
    const ended = layer.status === 'running' && newest !== undefined && hasEnded(newest.status);
    return {
      ...layer,
      ...(ended ? { status: newest.status as RunLayer['status'], reason: layerReason(newest) } : {}),
      compute_s: own.reduce((sum, { compute_s }) => sum + compute_s, 0),
      cost_usd: roundUsd(own.reduce((sum, job) => sum + computeJobCost(job), 0)),
    };
  });
}

function layerReason({ status, error, failed, total }: JobRow): string | null {
  if (status === 'succeeded') return null;
  if (status === 'cancelled') return 'the job was cancelled';
  if (status === 'partial') return `${failed} of ${total} episodes could not be annotated`;
  return error?.message ?? 'none of the episodes could be annotated';
}

const finalStatuses: ReadonlySet<RunLayer['status']> = new Set(['succeeded', 'inapplicable']);

/** Returns the layers of a resumed run: all but the succeeded and inapplicable ones wait for a job again. */
export const resumeLayers = (layers: readonly RunLayer[]): RunLayer[] =>
  layers.map((layer) =>
    finalStatuses.has(layer.status) ? layer : { ...layer, status: 'waiting', reason: null },
  );

/** Returns the layers of a run that starts over: all wait, without their earlier jobs, since those annotated other receipts. */
export const restartLayers = (layers: readonly RunLayer[]): RunLayer[] =>
  layers.map((layer) => ({ ...layer, status: 'waiting', jobs: [], reason: null }));

/** Returns the layers of a run that ended early: running ones become `cancelled`, others stay. */
export const cancelLayers = (layers: readonly RunLayer[]): RunLayer[] =>
  layers.map((layer) =>
    layer.status === 'running' ? { ...layer, status: 'cancelled', reason: 'the run was stopped' } : layer,
  );

/** Returns the layers of a finished run: waiting ones become `inapplicable`, since they applied to no episode. */
export const finishLayers = (layers: readonly RunLayer[]): RunLayer[] =>
  layers.map((layer) => (layer.status === 'waiting' ? { ...layer, status: 'inapplicable' } : layer));
