import { AssayError, newId } from '#core';
import { budgetRows, type Store, type TenantScope } from '#store';
import { usd, usdUp, windowStart } from './money.ts';

/** What money is for. */
export interface Purpose {
  /** The job, run or talk. */
  readonly purpose_id: string;
  /** Null: of no project. */
  readonly project_id: string | null;
}

/** Who keeps the ledger of which tenant, and when. */
export interface Till {
  readonly store: Pick<Store, 'database'>;
  readonly scope: TenantScope;
  readonly now: Date;
}

/**
 * Puts money aside before work is queued; in the transaction of whoever queues it. Gives the reservation's id. Throws
 * `budget_exceeded` where what was charged in seven days, what is reserved and this would pass the cap together.
 */
export async function reserve(till: Till, purpose: Purpose, estimate_usd: number): Promise<string> {
  const { store, scope, now } = till;
  return store.database.transaction(async () => {
    const amount = usdUp(estimate_usd);
    await demandRoom(till, amount);
    const id = newId('rsv');
    const row = { ...purpose, id, reserved_usd: amount, open_usd: amount, created_at: now };
    await budgetRows.insertReservation(scope, row);
    return id;
  });
}

/** Reserves more for work that turns out dearer than estimated. Throws `budget_exceeded`. */
export async function extendReservation(till: Till, id: string, more_usd: number): Promise<void> {
  const { store, scope } = till;
  await store.database.transaction(async () => {
    const amount = usdUp(more_usd);
    await demandRoom(till, amount);
    const row = await openReservation(scope, id);
    await budgetRows.updateReservation(scope, id, {
      reserved_usd: usd(row.reserved_usd + amount),
      open_usd: usd(row.open_usd + amount),
    });
  });
}

export interface Measured {
  /** `readiness`, or the annotation layer. */
  readonly layer: string;
  readonly model: string | null;
  readonly compute_s: number;
  readonly amount_usd: number;
}

/**
 * Charges what work took. It comes off its reservation first; what goes beyond that is charged as far as the cap leaves
 * room, and waived above: the sum of charges and open reservations never passes the cap.
 */
export async function charge(
  till: Till,
  purpose: Purpose,
  reservation_id: string | null,
  measured: Measured,
): Promise<{ readonly charged_usd: number; readonly waived_usd: number }> {
  const { store, scope, now } = till;
  return store.database.transaction(async () => {
    await budgetRows.lockBudget(scope, now);
    const whole = usd(measured.amount_usd);
    const reservation = reservation_id === null ? null : await openReservation(scope, reservation_id);
    const covered = Math.min(whole, reservation?.open_usd ?? 0);
    if (reservation !== null)
      await budgetRows.updateReservation(scope, reservation.id, {
        open_usd: usd(reservation.open_usd - covered),
      });
    const beyond = usd(whole - covered);
    const room = beyond === 0 ? 0 : await roomFor(till, covered);
    const charged_usd = usd(covered + Math.min(beyond, room));
    const waived_usd = usd(whole - charged_usd);
    const row = { ...measured, ...purpose, reservation_id, amount_usd: charged_usd, waived_usd };
    await budgetRows.insertCharge(scope, { ...row, id: newId('chg'), created_at: now });
    return { charged_usd, waived_usd };
  });
}

/** Gives back what is left of a reservation; nothing where that was done before. */
export async function release({ store, scope, now }: Till, id: string): Promise<void> {
  await store.database.transaction(async () => {
    await budgetRows.lockBudget(scope, now);
    const row = await budgetRows.getReservation(scope, id);
    if (row === null || row.closed_at !== null) return;
    await budgetRows.updateReservation(scope, id, { open_usd: 0, closed_at: now });
  });
}

/** Whether a reservation for a call of a model was not let go meanwhile; in the transaction of whoever charges it. */
export async function isHeld({ scope, now }: Till, id: string): Promise<boolean> {
  await budgetRows.lockBudget(scope, now);
  await budgetRows.closeAbandoned(scope, now);
  const row = await budgetRows.getReservation(scope, id);
  return row !== null && row.closed_at === null;
}

async function openReservation(scope: TenantScope, id: string): Promise<budgetRows.ReservationRow> {
  const row = await budgetRows.getReservation(scope, id);
  if (row === null || row.closed_at !== null)
    throw new AssayError('internal', `the reservation ${id} is not open`);
  return row;
}

/** What may still be charged, apart from what is taken already and not yet written down. */
async function roomFor({ scope, now }: Till, taken_usd: number): Promise<number> {
  const { cap_usd, spent_usd, reserved_usd } = await budgetRows.budgetUse(scope, {
    since: windowStart(now),
    now,
  });
  return cap_usd === null
    ? Number.POSITIVE_INFINITY
    : Math.max(0, cap_usd - spent_usd - reserved_usd - taken_usd);
}

async function demandRoom({ scope, now }: Till, amount_usd: number): Promise<void> {
  await budgetRows.lockBudget(scope, now);
  await budgetRows.closeAbandoned(scope, now);
  const use = await budgetRows.budgetUse(scope, { since: windowStart(now), now });
  const { cap_usd, spent_usd, reserved_usd } = use;
  if (cap_usd === null || usd(spent_usd + reserved_usd + amount_usd) <= cap_usd) return;
  throw new AssayError(
    'budget_exceeded',
    `this is estimated at $${amount_usd}; of the weekly cap of $${cap_usd}, $${usd(spent_usd)} are spent and $${usd(reserved_usd)} reserved`,
    {
      advice:
        'queue less, wait until spending of last week falls out of the window, or have an admin raise the cap',
      details: {
        estimate_usd: amount_usd,
        cap_usd,
        spent_usd: usd(spent_usd),
        reserved_usd: usd(reserved_usd),
      },
    },
  );
}
