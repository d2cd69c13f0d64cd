import type { FailureImport, FailureVerdict } from '#core/api';
import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { at, createdAt, tenantId, vector } from './columns.ts';

/** An import of failures with the baseline it was compared with; immutable. */
export const failureImports = pgTable(
  'failure_imports',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    name: text('name').notNull(),
    neighbours: integer('neighbours').notNull(),
    novel_from: doublePrecision('novel_from').notNull(),
    failures: integer('failures').notNull(),
    near: integer('near').notNull(),
    novel: integer('novel').notNull(),
    not_assessable: integer('not_assessable').notNull(),
    baseline: jsonb('baseline').$type<FailureImport['baseline']>().notNull(),
    notes: text('notes').array().notNull(),
    /** Slice with the nearest episodes of near failures; null if there are none. */
    slice_id: text('slice_id'),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('failure_imports_project').on(t.tenant_id, t.project_id, t.id),
  ],
);

/** A failure with the result of its import. Only its description is stored, not its trajectory. */
export const failures = pgTable(
  'failures',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    import_id: text('import_id').notNull(),
    project_id: text('project_id').notNull(),
    record_id: text('record_id').notNull(),
    task: text('task'),
    failure_mode: text('failure_mode'),
    time_s: doublePrecision('time_s'),
    occurred_at: at('occurred_at'),
    episode_id: text('episode_id'),
    verdict: text('verdict').$type<FailureVerdict>().notNull(),
    reason: text('reason'),
    by: text('by').$type<'motion' | 'words'>(),
    layout: text('layout').notNull(),
    /** Vector of length 1: 176 dimensions for motion, 256 for words. */
    vector: vector('vector'),
    distance: doublePrecision('distance'),
    novelty: doublePrecision('novelty'),
    nearest: jsonb('nearest')
      .$type<readonly { readonly episode_id: string; readonly distance: number }[]>()
      .notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('failures_project').on(t.tenant_id, t.project_id, t.id),
    index('failures_import').on(t.tenant_id, t.import_id, t.id),
  ],
);
