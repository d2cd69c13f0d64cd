import type { ExportRow, Store } from '#store';
import { charge, release, reserve, type Till } from '../../budget/ledger.ts';
import { usdUp } from '../../budget/money.ts';
import { priceOf } from '../../budget/prices.ts';

type Payer = Pick<ExportRow, 'tenant_id' | 'id' | 'project_id'>;

const tillOf = ({ database }: Pick<Store, 'database'>, { tenant_id }: Payer): Till => ({
  store: { database },
  scope: { sql: database.sql, tenant_id },
  now: new Date(),
});

const purposeOf = ({ id, project_id }: Payer) => ({ purpose_id: id, project_id });

/** Under which exports stand in prices and costs, beside `readiness` and the annotation layers. */
const costName = 'export';

export const exportPrice = ({ prices }: Pick<Store, 'prices'>): number => priceOf(prices, costName, 'cpu');

/** Figures to plan with: what an episode takes besides its bytes, and how fast bytes are copied, hashed and stored. */
const episode_s = 0.02;
const bytes_per_s = 100e6;

/** Seconds that one thread is expected to take over some episodes of so many bytes. */
export const plannedExportSeconds = (episodes: number, bytes: number): number =>
  1 + episodes * episode_s + bytes / bytes_per_s;

/** Puts aside what an export is expected to cost; null where that is nothing. Throws `budget_exceeded`. */
export async function reserveForExport(
  store: Pick<Store, 'database'>,
  row: Payer & Pick<ExportRow, 'price_usd_per_s'>,
  seconds: number,
): Promise<Pick<ExportRow, 'estimate_usd' | 'reserved_usd' | 'reservation_id'>> {
  const estimate_usd = usdUp(seconds * row.price_usd_per_s);
  const reservation_id =
    estimate_usd === 0 ? null : await reserve(tillOf(store, row), purposeOf(row), estimate_usd);
  return { estimate_usd, reserved_usd: estimate_usd, reservation_id };
}

/** Charges what an export took and gives back the rest of what was reserved, in the transaction that ends it. */
export async function settleExport(store: Pick<Store, 'database'>, row: ExportRow): Promise<void> {
  const { compute_s, price_usd_per_s, reservation_id } = row;
  const till = tillOf(store, row);
  if (compute_s > 0) {
    const measured = { layer: costName, model: null, compute_s, amount_usd: compute_s * price_usd_per_s };
    await charge(till, purposeOf(row), reservation_id, measured);
  }
  if (reservation_id !== null) await release(till, reservation_id);
}
