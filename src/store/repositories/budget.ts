import { limits } from '#core';
import type { TenantScope } from '../database/database.ts';
import { and, eq, gte, isNull, like, lt, not, or, sql, sum } from '../drizzle.ts';
import { budgets, charges, reservations } from '../schema/budget.ts';

export type ReservationRow = typeof reservations.$inferSelect;
export type ChargeRow = typeof charges.$inferSelect;

/** Budget use in US dollars. */
export interface BudgetUse {
  readonly cap_usd: number | null;
  readonly spent_usd: number;
  readonly reserved_usd: number;
}

/**
 * Locks the budget of the tenant until the transaction ends, and creates it without a cap if it is missing; nothing else is
 * reserved or charged meanwhile.
 */
export async function lockBudget({ sql: db, tenant_id }: TenantScope, now: Date): Promise<void> {
  await db.insert(budgets).values({ tenant_id, cap_usd: null, updated_at: now }).onConflictDoNothing();
  await db
    .select({ tenant_id: budgets.tenant_id })
    .from(budgets)
    .where(eq(budgets.tenant_id, tenant_id))
    .for('update');
}

/** Sets the spending cap in US dollars; null for none. */
export async function setCap(
  { sql: db, tenant_id }: TenantScope,
  cap_usd: number | null,
  updated_at: Date,
): Promise<void> {
  await db.update(budgets).set({ cap_usd, updated_at }).where(eq(budgets.tenant_id, tenant_id));
}

/** Cap and time of the last notification about a tenant's budget. */
export type BudgetNotice = Pick<typeof budgets.$inferSelect, 'notified_cap_usd' | 'notified_at'>;

/** Returns the last notification about the locked budget. */
export async function getBudgetNotice({ sql: db, tenant_id }: TenantScope): Promise<BudgetNotice> {
  const { notified_cap_usd, notified_at } = budgets;
  const [row] = await db
    .select({ notified_cap_usd, notified_at })
    .from(budgets)
    .where(eq(budgets.tenant_id, tenant_id));
  return row ?? { notified_cap_usd: null, notified_at: null };
}

/** Records a notification about the locked budget. */
export async function setBudgetNotice(
  { sql: db, tenant_id }: TenantScope,
  notice: BudgetNotice,
): Promise<void> {
  await db.update(budgets).set(notice).where(eq(budgets.tenant_id, tenant_id));
}

/**
 * Age in ms at which a reservation is abandoned: 1.5 times the maximum duration of a model call, and longer than
 * writing any film.
 */
const abandoned_ms = limits.copilot.call_s.value * 1500;

/**
 * Returns the condition for abandoned reservations of model calls (chat threads) and films (episodes), which no process
 * resumes.
 */
const isAbandoned = (now: Date) =>
  and(
    or(like(reservations.purpose_id, 'thr\\_%'), like(reservations.purpose_id, 'ep\\_%')),
    lt(reservations.created_at, new Date(now.getTime() - abandoned_ms)),
  );

/** Closes abandoned reservations of model calls and films whose process has died. */
export async function closeAbandoned({ sql: db, tenant_id }: TenantScope, now: Date): Promise<void> {
  await db
    .update(reservations)
    .set({ open_usd: 0, closed_at: now })
    .where(and(eq(reservations.tenant_id, tenant_id), isNull(reservations.closed_at), isAbandoned(now)));
}

/** Period for which budget use is computed. */
export interface BudgetPeriod {
  /** Charges count from this time on. */
  readonly since: Date;
  readonly now: Date;
}

/** Returns the cap (null without one), the charges since a time, and the open reservations without abandoned ones. */
export async function budgetUse(
  { sql: db, tenant_id }: TenantScope,
  { since, now }: BudgetPeriod,
): Promise<BudgetUse> {
  const spent = db
    .select({ usd: sum(charges.amount_usd).mapWith(Number) })
    .from(charges)
    .where(and(eq(charges.tenant_id, tenant_id), gte(charges.created_at, since)));
  const open = db
    .select({ usd: sum(reservations.open_usd).mapWith(Number) })
    .from(reservations)
    .where(
      and(
        eq(reservations.tenant_id, tenant_id),
        isNull(reservations.closed_at),
        not(isAbandoned(now) ?? sql`false`),
      ),
    );
  const cap = db.select({ cap_usd: budgets.cap_usd }).from(budgets).where(eq(budgets.tenant_id, tenant_id));
  const [row] = await db
    .select({
      cap_usd: sql<number | null>`(${cap})`.mapWith(Number),
      spent_usd: sql`coalesce((${spent}), 0)`.mapWith(Number),
      reserved_usd: sql`coalesce((${open}), 0)`.mapWith(Number),
    })
    .from(sql`(VALUES (1)) AS one`);
  return row;
}

/** Adds an open reservation. */
export async function insertReservation(
  { sql: db, tenant_id }: TenantScope,
  row: Omit<ReservationRow, 'tenant_id' | 'closed_at'>,
): Promise<void> {
  await db.insert(reservations).values({ ...row, tenant_id, closed_at: null });
}

/** Returns a reservation; null if the tenant has none with this id. */
export async function getReservation(
  { sql: db, tenant_id }: TenantScope,
  id: string,
): Promise<ReservationRow | null> {
  const [row] = await db
    .select()
    .from(reservations)
    .where(and(eq(reservations.tenant_id, tenant_id), eq(reservations.id, id)));
  return row ?? null;
}

/** Changes a reservation. */
export async function updateReservation(
  { sql: db, tenant_id }: TenantScope,
  id: string,
  change: Partial<Pick<ReservationRow, 'open_usd' | 'reserved_usd' | 'closed_at'>>,
): Promise<void> {
  await db
    .update(reservations)
    .set(change)
    .where(and(eq(reservations.tenant_id, tenant_id), eq(reservations.id, id)));
}

/** Adds a charge. */
export async function insertCharge(
  { sql: db, tenant_id }: TenantScope,
  row: Omit<ChargeRow, 'tenant_id'>,
): Promise<void> {
  await db.insert(charges).values({ ...row, tenant_id });
}

/** Grouping of charges. */
export type CostGroup = 'layer' | 'project' | 'day' | 'model';

/** Charges of one group. */
export interface CostRow {
  readonly key: string | null;
  readonly amount_usd: number;
  readonly waived_usd: number;
  readonly compute_s: number;
  readonly charges: number;
}

const groupKeys = {
  layer: sql<string | null>`${charges.layer}`,
  project: sql<string | null>`${charges.project_id}`,
  model: sql<string | null>`${charges.model}`,
  day: sql<string | null>`to_char(${charges.created_at} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
} as const satisfies Record<CostGroup, unknown>;

/**
 * Returns the sums of charges from `from` up to but excluding `to` by group, the most expensive first; days (UTC) in
 * chronological order.
 */
export async function sumCharges(
  { sql: db, tenant_id }: TenantScope,
  { by, from, to }: { readonly by: CostGroup; readonly from: Date; readonly to: Date },
): Promise<CostRow[]> {
  const key = groupKeys[by];
  return db
    .select({
      key: key.as('key'),
      amount_usd: sum(charges.amount_usd).mapWith(Number),
      waived_usd: sum(charges.waived_usd).mapWith(Number),
      compute_s: sum(charges.compute_s).mapWith(Number),
      charges: sql<number>`count(*)::int`,
    })
    .from(charges)
    .where(and(eq(charges.tenant_id, tenant_id), gte(charges.created_at, from), lt(charges.created_at, to)))
    .groupBy(sql`1`)
    .orderBy(by === 'day' ? sql`1` : sql`2 DESC, 1`) as Promise<CostRow[]>;
}
