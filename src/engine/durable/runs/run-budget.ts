import type { RunRow, Store } from '#store';
import { charge, release, reserve, type Till } from '../../budget/ledger.ts';
import { usd, usdUp } from '../../budget/money.ts';
import { priceOf } from '../../budget/prices.ts';

type Paying = Pick<Store, 'database' | 'prices'>;
type Payer = Pick<RunRow, 'tenant_id' | 'id' | 'project_id'>;

const tillOf = ({ database }: Paying, { tenant_id }: Payer): Till => ({
  store: { database },
  scope: { sql: database.sql, tenant_id },
  now: new Date(),
});

const purposeOf = ({ id, project_id }: Payer) => ({ purpose_id: id, project_id });

const priceOfRuns = ({ prices }: Pick<Paying, 'prices'>): number => priceOf(prices, 'readiness', 'cpu');

/** Whether a run costs anything by itself. */
export const runsCost = (store: Pick<Store, 'prices'>): boolean => priceOfRuns(store) > 0;

/**
 * Puts aside what a run is expected to cost without its layers, in the transaction that hands its work out; null where
 * that is nothing. Throws `budget_exceeded`.
 */
export async function reserveForRun(store: Paying, run: Payer, seconds: number): Promise<string | null> {
  const estimate_usd = usdUp(Math.max(0, seconds) * priceOfRuns(store));
  return estimate_usd === 0 ? null : reserve(tillOf(store, run), purposeOf(run), estimate_usd);
}

/** The same for a run that may have something reserved already, which this takes the place of. */
export async function reserveAnew(store: Paying, run: RunRow, seconds: number): Promise<string | null> {
  if (run.reservation_id !== null) await release(tillOf(store, run), run.reservation_id);
  return reserveForRun(store, run, seconds);
}

/**
 * Charges what a run took since it was last charged and gives back the rest of what was reserved, in the transaction
 * that ends it. Gives what its row says then.
 */
export async function settleRun(
  store: Paying,
  run: RunRow,
): Promise<Pick<RunRow, 'charged_s' | 'reservation_id'>> {
  const { compute_s, charged_s, reservation_id } = run;
  const till = tillOf(store, run);
  const uncharged_s = compute_s - charged_s;
  if (uncharged_s > 0) {
    const amount_usd = uncharged_s * priceOfRuns(store);
    const measured = { layer: 'readiness', model: null, compute_s: uncharged_s, amount_usd };
    await charge(till, purposeOf(run), reservation_id, measured);
  }
  if (reservation_id !== null) await release(till, reservation_id);
  return { charged_s: compute_s, reservation_id: null };
}

/** What a run costs with its layers, by the price list. */
export const costOfRun = (
  store: Paying,
  { compute_s, layers }: Pick<RunRow, 'compute_s' | 'layers'>,
): number => usd(layers.reduce((sum, { cost_usd }) => sum + cost_usd, compute_s * priceOfRuns(store)));
