import { type RunRow, readMeasuredRates, type Store, type StoredEstimate } from '#store';
import { estimateWork } from '../../budget/estimates.ts';
import { ceilUsd, charge, type LedgerContext, release, reserve, roundUsd } from '../../budget/ledger.ts';
import { findPrice } from '../../budget/prices.ts';
import type { NotificationStore } from '../../notifications/raise-event.ts';
import type { LookAnswer } from '../../steps/messages.ts';

type PricedStore = NotificationStore & Pick<Store, 'prices'>;
type Payer = Pick<RunRow, 'tenant_id' | 'id' | 'project_id'>;

const ledgerContext = (store: PricedStore, { tenant_id }: Payer): LedgerContext => ({
  store,
  scope: { sql: store.database.sql, tenant_id },
  now: new Date(),
});

const toPurpose = ({ id, project_id }: Payer) => ({ purpose_id: id, project_id });

const runPrice = ({ prices }: Pick<Store, 'prices'>): number => findPrice(prices, 'readiness', 'cpu');

/** Returns true if runs have a price. */
export const runsAreCharged = (store: Pick<Store, 'prices'>): boolean => runPrice(store) > 0;

/**
 * Reserves the expected cost of a run without its layers and returns the reservation's id, null if it is free; called in the
 * transaction that queues its work.
 * @throws `budget_exceeded`
 */
export async function reserveForRun(store: PricedStore, run: Payer, seconds: number): Promise<string | null> {
  const estimate_usd = ceilUsd(Math.max(0, seconds) * runPrice(store));
  return estimate_usd === 0 ? null : reserve(ledgerContext(store, run), toPurpose(run), estimate_usd);
}

/**
 * Releases the run's reservation, if any, and reserves its expected cost anew; returns the new reservation's id, null if it is
 * free.
 * @throws `budget_exceeded`
 */
export async function replaceReservation(
  store: PricedStore,
  run: RunRow,
  seconds: number,
): Promise<string | null> {
  if (run.reservation_id !== null) await release(ledgerContext(store, run), run.reservation_id);
  return reserveForRun(store, run, seconds);
}

/**
 * Charges the uncharged cost of a run and releases the rest of its reservation, in the transaction that ends it.
 * Returns the changed columns.
 */
export async function settleRun(
  store: PricedStore,
  run: RunRow,
): Promise<Pick<RunRow, 'charged_s' | 'reservation_id'>> {
  const { compute_s, charged_s, reservation_id } = run;
  const till = ledgerContext(store, run);
  const uncharged_s = compute_s - charged_s;
  if (uncharged_s > 0) {
    const amount_usd = uncharged_s * runPrice(store);
    const measured = { layer: 'readiness', model: null, compute_s: uncharged_s, amount_usd };
    await charge(till, toPurpose(run), reservation_id, measured);
  }
  if (reservation_id !== null) await release(till, reservation_id);
  return { charged_s: compute_s, reservation_id: null };
}

/** Returns the cost of a run with its layers in US dollars, by the price list. */
export const computeRunCost = (
  store: Pick<Store, 'prices'>,
  { compute_s, layers }: Pick<RunRow, 'compute_s' | 'layers'>,
): number => roundUsd(layers.reduce((sum, { cost_usd }) => sum + cost_usd, compute_s * runPrice(store)));

/** Compute seconds measured on a laptop: per episode, per megabyte of numbers, per camera clip. */
const cost_s = { episode: 0.0012, megabyte: 0.02, clip: 0.06 };

/** Returns the planned compute seconds for measuring and judging datasets. */
function plannedRunSeconds({ planned, sizes }: FoundSizes): number {
  return planned.reduce(
    (sum, { episodes, bytes, cameras }, at) =>
      sum +
      episodes * (cost_s.episode + (sizes[at]?.cameras ?? cameras.length) * cost_s.clip) +
      (bytes / 1e6) * cost_s.megabyte,
    0,
  );
}

type FoundSizes = Pick<LookAnswer, 'planned' | 'sizes'>;

/**
 * Estimates measuring and judging the datasets of a source from earlier runs of its tenant: of the same source, else
 * of the same formats.
 */
export async function estimateRun(
  { database }: Pick<Store, 'database'>,
  { tenant_id, source_id }: Pick<RunRow, 'tenant_id' | 'source_id'>,
  found: FoundSizes,
): Promise<StoredEstimate> {
  const formats = [...new Set(found.planned.map(({ format }) => format))].sort().join(' ');
  const family = `readiness ${formats}`;
  const planned_s = plannedRunSeconds(found);
  const planned = { planned_s, work: `${family} ${source_id}`, family, size_class: null, in_run: false };
  return estimateWork(planned, await readMeasuredRates(database, tenant_id));
}

/** Returns the expected thread seconds of a rescore: a fixed time per episode. */
export const rescoreSeconds = (episodes: number): number => episodes * cost_s.episode;

/**
 * Returns the remaining thread seconds of a run's estimate. Measuring and judging an episode count alike, which is
 * precise enough for planning.
 */
export function secondsLeft(run: RunRow): number {
  const { type, estimate_s, episodes_expected, episodes_measured, episodes_judged, episodes_unreadable } =
    run;
  const [done, total] =
    type === 'rescore'
      ? [episodes_judged, episodes_measured]
      : [episodes_measured + episodes_judged + 2 * episodes_unreadable, 2 * episodes_expected];
  return total === 0 ? estimate_s : estimate_s * Math.max(0, 1 - done / total);
}
