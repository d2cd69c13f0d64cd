import type { CurationReport } from '#core/api';
import { index, integer, jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { createdAt, tenantId } from './columns.ts';

/** A curation plan that was applied, with what it chose. It never changes. */
export const curationPlans = pgTable(
  'curation_plans',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    name: text('name').notNull(),
    plan_hash: text('plan_hash').notNull(),
    input_hash: text('input_hash').notNull(),
    plan: jsonb('plan').$type<CurationReport['plan']>().notNull(),
    episodes_kept: integer('episodes_kept').notNull(),
    episodes_dropped: integer('episodes_dropped').notNull(),
    report: jsonb('report').$type<CurationReport>().notNull(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('curation_plans_project').on(t.tenant_id, t.project_id, t.id),
  ],
);
