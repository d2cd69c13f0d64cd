import { doublePrecision, index, numeric, pgTable, primaryKey, text } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** Creates a column in US dollars with six decimal places. */
export const usd = (name: string) => numeric(name, { precision: 18, scale: 6, mode: 'number' });

/** Spending cap of a tenant. Reserving and charging lock the row, so that the cap is never exceeded. */
export const budgets = pgTable('budgets', {
  tenant_id: tenantId().primaryKey(),
  /** Null for no cap. */
  cap_usd: usd('cap_usd'),
  /** Cap and time of the last notification that its threshold was reached; null if there was none. */
  notified_cap_usd: usd('notified_cap_usd'),
  notified_at: at('notified_at'),
  updated_at: at('updated_at').notNull(),
});

/** Money reserved for queued or running work. */
export const reservations = pgTable(
  'reservations',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    /** Job, run or chat thread that it is for. */
    purpose_id: text('purpose_id').notNull(),
    /** Null if it belongs to no project. */
    project_id: text('project_id'),
    reserved_usd: usd('reserved_usd').notNull(),
    /** Remaining amount; 0 once it is released. */
    open_usd: usd('open_usd').notNull(),
    created_at: createdAt(),
    closed_at: at('closed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('reservations_open').on(t.tenant_id, t.closed_at),
    index('reservations_purpose').on(t.tenant_id, t.purpose_id),
  ],
);

/** Money spent, as measured. */
export const charges = pgTable(
  'charges',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    reservation_id: text('reservation_id'),
    purpose_id: text('purpose_id').notNull(),
    /** Null if it belongs to no project. */
    project_id: text('project_id'),
    /** Annotation layer; `readiness` for the work of runs. */
    layer: text('layer').notNull(),
    model: text('model'),
    compute_s: doublePrecision('compute_s').notNull(),
    amount_usd: usd('amount_usd').notNull(),
    /** Measured cost that would have exceeded the cap and is not charged. */
    waived_usd: usd('waived_usd').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('charges_time').on(t.tenant_id, t.created_at, t.amount_usd),
  ],
);
