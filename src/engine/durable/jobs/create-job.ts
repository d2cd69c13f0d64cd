import { newId } from '#core';
import { type EpisodeSize, plannedSeconds, sizeClass } from '#labels/annotation';
import {
  type ItemTotals,
  type JobRow,
  jobItemRows,
  jobRows,
  readMeasuredRates,
  type Store,
  type StoredEstimate,
  type TenantScope,
} from '#store';
import { estimateWork, layerWork } from '../../budget/estimates.ts';
import { ceilUsd, reserve } from '../../budget/ledger.ts';
import { computeTokenCost } from '../../budget/prices.ts';
import { jobWork } from './job.ts';
import type { LanePlan } from './lane-plan.ts';
import { queueRanges } from './queue-ranges.ts';

/** Options of a new job. */
export interface JobOptions {
  readonly origin: JobRow['origin'];
  readonly run_id: string | null;
  readonly created_by: string;
  readonly now: Date;
  /** Episodes; `null`: all of the project to which the layer applies. */
  readonly episode_ids: readonly string[] | null;
  readonly force: boolean;
  /** Earlier jobs whose episodes are skipped even with `force`. */
  readonly done_by?: readonly string[];
}

/** A job with its episodes, before its cost is reserved. */
export interface OpenedJob {
  readonly row: JobRow;
  readonly totals: ItemTotals;
}

/**
 * Adds a job with its episodes in the caller's transaction and returns both; null if the project has an open job of the layer.
 */
export async function openJob(
  store: Store,
  scope: TenantScope,
  plan: LanePlan,
  wishes: JobOptions,
): Promise<OpenedJob | null> {
  const row = newJob(scope.tenant_id, plan, wishes);
  if (!(await jobRows.insertJob(scope, row))) return null;
  const work = jobWork(store, { tenant_id: scope.tenant_id, job_id: row.id });
  const totals = await jobItemRows.insertItems(work, {
    project_id: row.project_id,
    layer: row.layer,
    episode_ids: wishes.episode_ids,
    run_id: wishes.run_id,
    kinds: plan.kinds,
    force: wishes.force,
    done_by: wishes.done_by ?? [],
    config_hash: row.config_hash,
  });
  return { row, totals };
}

/** Deletes a job, in the transaction that opened it. */
export async function dropJob(store: Store, { row: { tenant_id, id } }: OpenedJob): Promise<void> {
  await jobItemRows.deleteItems(jobWork(store, { tenant_id, job_id: id }));
  await jobRows.deleteJob({ sql: store.database.sql, tenant_id }, id);
}

/**
 * Reserves the estimated cost of a job, queues its episodes in ranges of about 10 s, and returns the updated row; called in
 * the transaction that opened it. `estimate` is that of `estimateJob`. Throws `budget_exceeded`.
 */
export async function queueJob(
  store: Store,
  scope: TenantScope,
  plan: LanePlan,
  opened: OpenedJob,
  now: Date,
  estimate?: StoredEstimate,
): Promise<JobRow> {
  const job = await reserveForJob(store, scope, plan, opened, now, estimate);
  const { items } = opened.totals;
  const episode_s = (job.estimate?.compute_s ?? 0) / Math.max(1, items);
  const max_episodes = Math.max(
    1,
    Math.min(maxRangeEpisodes, Math.floor(targetRange_s / Math.max(episode_s, 1e-6))),
  );
  await queueRanges(
    store,
    { tenant_id: job.tenant_id, run_id: null, job_ids: [job.id], layers: [job.layer] },
    { count: items, max_episodes },
  );
  return job;
}

/**
 * Reserves the estimated cost of a job and returns its row with the estimate; throws `budget_exceeded` if the budget is too
 * small. The caller must queue the job in the same transaction.
 */
export async function reserveForJob(
  store: Store,
  scope: TenantScope,
  plan: LanePlan,
  opened: OpenedJob,
  now: Date,
  estimate?: StoredEstimate,
): Promise<JobRow> {
  const { row, totals } = opened;
  const estimated = estimate ?? (await estimateJob(store, plan, opened));
  const price = estimated.device === 'gpu' ? plan.gpu_price_usd_per_s : plan.price_usd_per_s;
  const estimate_usd = ceilUsd(estimated.compute_s * price + plannedTokensUsd(plan, totals));
  const purpose = { purpose_id: row.run_id ?? row.id, project_id: row.project_id };
  const reservation_id = await reserve({ store, scope, now }, purpose, estimate_usd);
  const narrowed = totals.items < totals.asked;
  return jobRows.updateJob(scope, row.id, {
    total: totals.items,
    narrowed_from: narrowed ? totals.asked : null,
    estimate: estimated,
    estimate_usd,
    reservation_id,
    reserved_usd: estimate_usd,
  });
}

/** Estimates the compute time of an opened job from the rates that were measured for its tenant. */
export async function estimateJob(
  { database }: Pick<Store, 'database'>,
  { row, config, model, config_hash }: LanePlan,
  { totals, row: { tenant_id, run_id } }: OpenedJob,
): Promise<StoredEstimate> {
  const size = meanSize(totals);
  const planned = {
    planned_s: totals.items === 0 ? 0 : totals.items * plannedSeconds(row, size, config),
    size_class: sizeClass(size.picture_mpx),
    in_run: run_id !== null,
    ...layerWork(row.id, config_hash, model),
  };
  return estimateWork(planned, await readMeasuredRates(database, tenant_id));
}

/** Returns the maximum expected token cost of a vision endpoint in US dollars. */
function plannedTokensUsd({ row, config, token_prices }: LanePlan, totals: ItemTotals): number {
  if (totals.items === 0 || token_prices === null || row.planned_tokens === undefined) return 0;
  return totals.items * computeTokenCost(token_prices, row.planned_tokens(meanSize(totals), config));
}

/** Returns the mean size of the episodes of a job. */
function meanSize({ items, duration_s, cameras, pictures, picture_mpx }: ItemTotals): EpisodeSize {
  const count = Math.max(1, items);
  return {
    duration_s: duration_s / count,
    cameras: cameras / count,
    pictures: pictures / count,
    picture_mpx,
  };
}

/** Target duration of a range in seconds. */
const targetRange_s = 10;
/** Maximum episodes per range. */
const maxRangeEpisodes = 256;

function newJob(tenant_id: string, plan: LanePlan, wishes: JobOptions): JobRow {
  return {
    tenant_id,
    id: newId('job'),
    project_id: plan.project.id,
    layer: plan.row.id,
    origin: wishes.origin,
    run_id: wishes.run_id,
    status: 'queued',
    config: plan.config,
    config_hash: plan.config_hash,
    model: plan.model,
    force: wishes.force,
    total: 0,
    done: 0,
    failed: 0,
    skipped: 0,
    narrowed_from: null,
    attempts: 1,
    estimate: null,
    estimate_usd: 0,
    reservation_id: null,
    reserved_usd: 0,
    compute_s: 0,
    uncharged_s: 0,
    price_usd_per_s: plan.price_usd_per_s,
    gpu_s: 0,
    uncharged_gpu_s: 0,
    gpu_price_usd_per_s: plan.gpu_price_usd_per_s,
    device_note: null,
    prompt_tokens: 0,
    completion_tokens: 0,
    tokens_usd: 0,
    uncharged_tokens_usd: 0,
    error: null,
    waiting: null,
    created_at: wishes.now,
    created_by: wishes.created_by,
    started_at: null,
    progress_at: null,
    finished_at: null,
  };
}
