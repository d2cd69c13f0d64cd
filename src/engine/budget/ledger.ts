import { AssayError, newId } from '#core';
import { budgetRows, type TenantScope } from '#store';
import { type NotificationStore, raiseEvent } from '../notifications/raise-event.ts';

/** Purpose of a reservation or charge. */
export interface Purpose {
  /** Id of the job, run or chat. */
  readonly purpose_id: string;
  /** `null` if it belongs to no project. */
  readonly project_id: string | null;
}

/** Tenant ledger and current time for budget operations. */
export interface LedgerContext {
  readonly store: NotificationStore;
  readonly scope: TenantScope;
  readonly now: Date;
}

/**
 * Reserves an amount before work is queued, in the caller's transaction, and returns the reservation's id. Throws
 * `budget_exceeded` if the charges of seven days, open reservations and this amount exceed the cap.
 */
export async function reserve(till: LedgerContext, purpose: Purpose, estimate_usd: number): Promise<string> {
  const { store, scope, now } = till;
  return store.database.transaction(async () => {
    const amount = ceilUsd(estimate_usd);
    await requireBudget(till, amount);
    const id = newId('rsv');
    const row = { ...purpose, id, reserved_usd: amount, open_usd: amount, created_at: now };
    await budgetRows.insertReservation(scope, row);
    return id;
  });
}

/**
 * Adds an amount to an open reservation; throws `budget_exceeded` if it does not fit under the cap, `internal` if the
 * reservation is closed or missing.
 */
export async function extendReservation(till: LedgerContext, id: string, more_usd: number): Promise<void> {
  const { store, scope } = till;
  await store.database.transaction(async () => {
    const amount = ceilUsd(more_usd);
    await requireBudget(till, amount);
    const row = await openReservation(scope, id);
    await budgetRows.updateReservation(scope, id, {
      reserved_usd: roundUsd(row.reserved_usd + amount),
      open_usd: roundUsd(row.open_usd + amount),
    });
  });
}

/** Measured cost of finished work. */
export interface MeasuredCost {
  /** `readiness`, or the annotation layer. */
  readonly layer: string;
  readonly model: string | null;
  readonly compute_s: number;
  readonly amount_usd: number;
}

/**
 * Records the measured cost as a charge and returns the charged and the waived amount: taken from the reservation first, the
 * rest as far as the cap allows and waived beyond, so that charges and open reservations never exceed the cap.
 * @throws `internal` if the reservation is closed or missing
 */
export async function charge(
  till: LedgerContext,
  purpose: Purpose,
  reservation_id: string | null,
  measured: MeasuredCost,
): Promise<{ readonly charged_usd: number; readonly waived_usd: number }> {
  const { store, scope, now } = till;
  return store.database.transaction(async () => {
    await budgetRows.lockBudget(scope, now);
    const whole = roundUsd(measured.amount_usd);
    const reservation = reservation_id === null ? null : await openReservation(scope, reservation_id);
    const covered = Math.min(whole, reservation?.open_usd ?? 0);
    if (reservation !== null)
      await budgetRows.updateReservation(scope, reservation.id, {
        open_usd: roundUsd(reservation.open_usd - covered),
      });
    const beyond = roundUsd(whole - covered);
    const room = beyond === 0 ? 0 : await remainingBudget(till, covered);
    const charged_usd = roundUsd(covered + Math.min(beyond, room));
    const waived_usd = roundUsd(whole - charged_usd);
    const row = { ...measured, ...purpose, reservation_id, amount_usd: charged_usd, waived_usd };
    await budgetRows.insertCharge(scope, { ...row, id: newId('chg'), created_at: now });
    if (charged_usd > 0) await reportThreshold(till);
    return { charged_usd, waived_usd };
  });
}

/** Share of the cap at which an event is raised. */
const threshold = 0.8;

/**
 * Raises an event when the charges of the window have reached 80 % of the locked budget's cap, once per window and cap.
 * Reservations do not count, because most of them turn out larger than the charge.
 */
export async function reportThreshold({ store, scope, now }: LedgerContext): Promise<void> {
  const since = windowStart(now);
  const { cap_usd, spent_usd, reserved_usd } = await budgetRows.budgetUse(scope, { since, now });
  if (cap_usd === null || cap_usd === 0 || spent_usd < threshold * cap_usd) return;
  const { notified_at, notified_cap_usd } = await budgetRows.getBudgetNotice(scope);
  if (notified_at !== null && notified_at > since && notified_cap_usd === cap_usd) return;
  await budgetRows.setBudgetNotice(scope, { notified_at: now, notified_cap_usd: cap_usd });
  const subject = { type: 'budget.threshold_reached', project_id: null } as const;
  await raiseEvent(store, scope, subject, async () => ({
    message: `${Math.floor((100 * spent_usd) / cap_usd)} % of the weekly budget is spent: $${spent_usd.toFixed(2)} of $${cap_usd.toFixed(2)} in the last seven days.`,
    links: { web: '/budget', api: '/v1/budget' },
    data: { threshold, cap_usd, spent_usd, reserved_usd },
  }));
}

/** Closes a reservation and frees its remainder; does nothing if it is closed or missing. */
export async function release({ store, scope, now }: LedgerContext, id: string): Promise<void> {
  await store.database.transaction(async () => {
    await budgetRows.lockBudget(scope, now);
    const row = await budgetRows.getReservation(scope, id);
    if (row === null || row.closed_at !== null) return;
    await budgetRows.updateReservation(scope, id, { open_usd: 0, closed_at: now });
  });
}

/**
 * Locks the tenant's budget, closes abandoned reservations, and returns true if the reservation of a model call is still open.
 * Called in the transaction that charges it.
 */
export async function isReservationOpen({ scope, now }: LedgerContext, id: string): Promise<boolean> {
  await budgetRows.lockBudget(scope, now);
  await budgetRows.closeAbandoned(scope, now);
  const row = await budgetRows.getReservation(scope, id);
  return row !== null && row.closed_at === null;
}

async function openReservation(scope: TenantScope, id: string): Promise<budgetRows.ReservationRow> {
  const row = await budgetRows.getReservation(scope, id);
  if (row === null || row.closed_at !== null)
    throw new AssayError('internal', `the budget reservation ${id} is not open`);
  return row;
}

/** Returns the amount that may still be charged, less `taken_usd` that is not recorded yet. Infinite without a cap. */
async function remainingBudget({ scope, now }: LedgerContext, taken_usd: number): Promise<number> {
  const { cap_usd, spent_usd, reserved_usd } = await budgetRows.budgetUse(scope, {
    since: windowStart(now),
    now,
  });
  return cap_usd === null
    ? Number.POSITIVE_INFINITY
    : Math.max(0, cap_usd - spent_usd - reserved_usd - taken_usd);
}

async function requireBudget({ scope, now }: LedgerContext, amount_usd: number): Promise<void> {
  await budgetRows.lockBudget(scope, now);
  await budgetRows.closeAbandoned(scope, now);
  const use = await budgetRows.budgetUse(scope, { since: windowStart(now), now });
  const { cap_usd, spent_usd, reserved_usd } = use;
  if (cap_usd === null || roundUsd(spent_usd + reserved_usd + amount_usd) <= cap_usd) return;
  throw new AssayError(
    'budget_exceeded',
    `estimated cost $${amount_usd} exceeds the weekly budget of $${cap_usd}: $${roundUsd(spent_usd)} spent, $${roundUsd(reserved_usd)} reserved`,
    {
      advice:
        'queue less work, wait until last week’s spending leaves the 7-day window, or ask an admin to raise the cap',
      details: {
        estimate_usd: amount_usd,
        cap_usd,
        spent_usd: roundUsd(spent_usd),
        reserved_usd: roundUsd(reserved_usd),
      },
    },
  );
}

/** Length in days of the sliding window in which spending counts towards the cap. */
export const window_days = 7;
const day_ms = 86_400_000;

/** Returns the start of the spending window that ends at `now`: 7 days earlier. */
export const windowStart = (now: Date): Date => new Date(now.getTime() - window_days * day_ms);

/** Rounds an amount to six decimal places, as stored. */
export const roundUsd = (amount: number): number => Math.round(amount * 1e6) / 1e6;
/** Rounds an amount up to six decimal places; an excess below 1e-12 is taken for a rounding error. */
export const ceilUsd = (amount: number): number => Math.ceil(amount * 1e6 - 1e-6) / 1e6;
