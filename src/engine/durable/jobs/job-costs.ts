import { AssayError } from '#core';
import type { AnnotationJob, PriceList } from '#core/api';
import { parseModelName } from '#labels/models';
import { type JobRow, jobRows, type RunError } from '#store';
import {
  charge,
  extendReservation,
  type LedgerContext,
  type Purpose,
  release,
  roundUsd,
} from '../../budget/ledger.ts';
import { findTokenPrices, type TokenPrices } from '../../budget/prices.ts';
import type { NotificationStore } from '../../notifications/raise-event.ts';

type LedgerStore = NotificationStore;

/** Minimum fraction of the reservation that is charged in one ledger entry. */
const minChargeShare = 0.05;

const ledgerContext = (store: LedgerStore, { tenant_id }: JobRow): LedgerContext => ({
  store,
  scope: { sql: store.database.sql, tenant_id },
  now: new Date(),
});

/** Returns the purpose; layers of a run are charged to the run. */
const toPurpose = ({ id, run_id, project_id }: JobRow): Purpose => ({
  purpose_id: run_id ?? id,
  project_id,
});

/** Returns the cost of a job so far in US dollars: compute time and tokens. */
export const computeJobCost = (job: JobRow): number =>
  computeCost(job, job.compute_s, job.gpu_s) + job.tokens_usd;

/** Returns the cost of compute seconds, of which `gpu_s` ran on an accelerator. */
const computeCost = (
  { price_usd_per_s, gpu_price_usd_per_s }: JobRow,
  compute_s: number,
  gpu_s: number,
): number => (compute_s - gpu_s) * price_usd_per_s + gpu_s * gpu_price_usd_per_s;

/** Returns compute time and cost of a job per device, without tokens; devices that were not used are left out. */
export function deviceCosts(job: JobRow): AnnotationJob['devices'] {
  const { compute_s, gpu_s } = job;
  const all = [
    { device: 'cpu' as const, compute_s: compute_s - gpu_s, gpu_s: 0 },
    { device: 'gpu' as const, compute_s: gpu_s, gpu_s },
  ];
  return all
    .filter((one) => one.compute_s > 0)
    .map((one) => ({
      device: one.device,
      compute_s: Math.round(one.compute_s * 1e6) / 1e6,
      cost_usd: roundUsd(computeCost(job, one.compute_s, one.gpu_s)),
    }));
}

/**
 * Charges what a locked job has used but not been charged for, and returns its row. `worth it`: only if that is at least 5 %
 * of the reservation.
 */
export async function chargeJob(
  store: LedgerStore,
  job: JobRow,
  when: 'worth it' | 'always',
): Promise<JobRow> {
  const { uncharged_s, uncharged_gpu_s, uncharged_tokens_usd, layer, model, reservation_id } = job;
  const amount_usd = computeCost(job, uncharged_s, uncharged_gpu_s) + uncharged_tokens_usd;
  const little = amount_usd === 0 || amount_usd < minChargeShare * job.reserved_usd;
  if ((uncharged_s === 0 && uncharged_tokens_usd === 0) || (when === 'worth it' && little)) return job;
  const measured = { layer, model, compute_s: uncharged_s, amount_usd };
  await charge(ledgerContext(store, job), toPurpose(job), reservation_id, measured);
  return update(store, job, { uncharged_s: 0, uncharged_gpu_s: 0, uncharged_tokens_usd: 0 });
}

/**
 * Increases the reservation of a job that costs more than reserved, to the projected total, and returns its row; the error if
 * the budget has no room. The job must end then.
 */
export async function reserveOverrun(store: LedgerStore, job: JobRow): Promise<JobRow | RunError> {
  const measured_usd = computeJobCost(job);
  if (job.reservation_id === null || measured_usd <= job.reserved_usd) return job;
  const finished = job.done + job.failed;
  const remaining = job.total - finished - job.skipped;
  const more_usd = measured_usd - job.reserved_usd + (measured_usd / Math.max(1, finished)) * remaining;
  try {
    await extendReservation(ledgerContext(store, job), job.reservation_id, more_usd);
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code !== 'budget_exceeded') throw thrown;
    return {
      code: thrown.code,
      message: `more expensive than estimated: ${thrown.message}`,
      path: null,
      advice: 'finished episodes are saved; raise the cap or wait, then queue the layer again for the rest',
    };
  }
  return update(store, job, { reserved_usd: roundUsd(job.reserved_usd + more_usd) });
}

/** Releases the rest of a job's reservation, if it has one. */
export async function releaseJob(store: LedgerStore, job: JobRow): Promise<void> {
  if (job.reservation_id !== null) await release(ledgerContext(store, job), job.reservation_id);
}

function update({ database }: LedgerStore, job: JobRow, change: Partial<JobRow>): Promise<JobRow> {
  return jobRows.updateJob({ sql: database.sql, tenant_id: job.tenant_id }, job.id, change);
}

/**
 * Returns the token prices of the first model of `models` that an endpoint serves, by its name there, else by its registry id;
 * zero prices if there is none.
 */
export function findModelTokenPrices(prices: PriceList | undefined, models: readonly string[]): TokenPrices {
  const served_model = models.map(parseModelName).find(({ served }) => served !== null);
  return findTokenPrices(
    prices,
    ...(served_model === undefined ? [] : [served_model.served!, served_model.id]),
  );
}
