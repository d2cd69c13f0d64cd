import { doublePrecision, index, numeric, pgTable, primaryKey, text } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** US dollars, six places. */
export const usd = (name: string) => numeric(name, { precision: 18, scale: 6, mode: 'number' });

/** What a tenant may spend; its row is locked by whoever reserves or charges, so that sums are never passed. */
export const budgets = pgTable('budgets', {
  tenant_id: tenantId().primaryKey(),
  /** Null: no cap. */
  cap_usd: usd('cap_usd'),
  updated_at: at('updated_at').notNull(),
});

/** Money reserved for work that is queued or under way. */
export const reservations = pgTable(
  'reservations',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    /** The job, run or talk it is for. */
    purpose_id: text('purpose_id').notNull(),
    /** Null: of no project. */
    project_id: text('project_id'),
    reserved_usd: usd('reserved_usd').notNull(),
    /** What is left of it; 0 once it is released. */
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
    /** Null: of no project. */
    project_id: text('project_id'),
    /** `readiness` for what runs do by themselves. */
    layer: text('layer').notNull(),
    model: text('model'),
    compute_s: doublePrecision('compute_s').notNull(),
    amount_usd: usd('amount_usd').notNull(),
    /** What was measured beyond that, and would have passed the cap: it is on the house. */
    waived_usd: usd('waived_usd').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('charges_time').on(t.tenant_id, t.created_at, t.amount_usd),
  ],
);
