import type { CurationReport } from '#core/api';
import { customType, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { createdAt, tenantId } from './columns.ts';

/** An applied curation plan with its result; immutable. */
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

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** Newest sample of an episode that curation compares in addition to vectors; replaced when sampled again. */
export const curationSamples = pgTable(
  'curation_samples',
  {
    tenant_id: tenantId(),
    episode_id: text('episode_id').notNull(),
    project_id: text('project_id').notNull(),
    /** Samples of different versions are not compared. */
    version: integer('version').notNull(),
    /** SHA-256 of its numbers, or of its picture files; null if it has neither. */
    content_hash: text('content_hash'),
    /** Idle time in seconds at both ends; null if it has no times or nothing moves. */
    head_s: doublePrecision('head_s'),
    tail_s: doublePrecision('tail_s'),
    /** Layout of the sampled rows; null if it has no states and no actions. */
    layout: text('layout'),
    state_dims: integer('state_dims'),
    action_dims: integer('action_dims'),
    rows: integer('rows'),
    /** Little-endian 32-bit floats, row-major, at most 64 rows of 64 dimensions. */
    states: bytea('states'),
    actions: bytea('actions'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.episode_id] }),
    index('curation_samples_project').on(t.tenant_id, t.project_id, t.version, t.episode_id),
  ],
);
