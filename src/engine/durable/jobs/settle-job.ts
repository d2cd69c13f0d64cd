import { AssayError } from '#core';
import type { AnnotationJob } from '#core/api';
import { type JobRow, jobRows, type RunError, type Store } from '#store';
import { charge, extendReservation, type Purpose, release, type Till } from '../../budget/ledger.ts';
import { usd } from '../../budget/money.ts';

type Settling = Pick<Store, 'database'>;

/** The smallest share of what is reserved that is worth a row of the ledger. */
const leastShare = 0.05;

const tillOf = ({ database }: Settling, { tenant_id }: JobRow): Till => ({
  store: { database },
  scope: { sql: database.sql, tenant_id },
  now: new Date(),
});

/** What a run's layers cost is the run's. */
const purposeOf = ({ id, run_id, project_id }: JobRow): Purpose => ({
  purpose_id: run_id ?? id,
  project_id,
});

/** What a job has cost so far, in US dollars. */
export const measuredUsd = (job: JobRow): number =>
  computedUsd(job, job.compute_s, job.gpu_s) + job.tokens_usd;

/** What seconds of a job cost, `gpu_s` of them with models on an accelerator. */
const computedUsd = (
  { price_usd_per_s, gpu_price_usd_per_s }: JobRow,
  compute_s: number,
  gpu_s: number,
): number => (compute_s - gpu_s) * price_usd_per_s + gpu_s * gpu_price_usd_per_s;

/** Where a job was computed: what it took there and cost, but for tokens. */
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
      cost_usd: usd(computedUsd(job, one.compute_s, one.gpu_s)),
    }));
}

/** Charges what was measured and is not in the ledger yet, in the transaction that holds the job; all of it at its end. */
export async function chargeJob(store: Settling, job: JobRow, when: 'worth it' | 'always'): Promise<JobRow> {
  const { uncharged_s, uncharged_gpu_s, uncharged_tokens_usd, layer, model, reservation_id } = job;
  const amount_usd = computedUsd(job, uncharged_s, uncharged_gpu_s) + uncharged_tokens_usd;
  const little = amount_usd === 0 || amount_usd < leastShare * job.reserved_usd;
  if ((uncharged_s === 0 && uncharged_tokens_usd === 0) || (when === 'worth it' && little)) return job;
  const measured = { layer, model, compute_s: uncharged_s, amount_usd };
  await charge(tillOf(store, job), purposeOf(job), reservation_id, measured);
  return update(store, job, { uncharged_s: 0, uncharged_gpu_s: 0, uncharged_tokens_usd: 0 });
}

/**
 * Reserves more where a job turns out dearer than what was reserved for it. The error where the budget leaves no room:
 * then it must end.
 */
export async function coverOverrun(store: Settling, job: JobRow): Promise<JobRow | RunError> {
  const measured_usd = measuredUsd(job);
  if (job.reservation_id === null || measured_usd <= job.reserved_usd) return job;
  const finished = job.done + job.failed;
  const left = job.total - finished - job.skipped;
  const more_usd = measured_usd - job.reserved_usd + (measured_usd / Math.max(1, finished)) * left;
  try {
    await extendReservation(tillOf(store, job), job.reservation_id, more_usd);
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code !== 'budget_exceeded') throw thrown;
    return {
      code: thrown.code,
      message: `it turned out dearer than estimated: ${thrown.message}`,
      path: null,
      advice: 'what is done stays; have the cap raised, or wait, and queue the layer again for the rest',
    };
  }
  return update(store, job, { reserved_usd: usd(job.reserved_usd + more_usd) });
}

/** Gives back what a job that ends has left of what was reserved for it. */
export async function releaseJob(store: Settling, job: JobRow): Promise<void> {
  if (job.reservation_id !== null) await release(tillOf(store, job), job.reservation_id);
}

function update({ database }: Settling, job: JobRow, change: Partial<JobRow>): Promise<JobRow> {
  return jobRows.updateJob({ sql: database.sql, tenant_id: job.tenant_id }, job.id, change);
}
