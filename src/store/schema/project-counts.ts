import { bigint, doublePrecision, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Decision } from '#contract';
import type { Kind } from '#episode';
import { tenantId } from './columns.ts';

const sum = (name: string) => bigint(name, { mode: 'number' }).notNull();

/** Episodes that are alike in kind and decision; triggers on `episodes` keep it true, nobody else writes it. */
export const projectCounts = pgTable(
  'project_counts',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    /** By the streams. */
    stream_kind: text('stream_kind').$type<Kind>().notNull(),
    decision: text('decision').$type<Decision>().notNull(),
    episodes: sum('episodes'),
    reviewed: sum('reviewed'),
    cameras: sum('cameras'),
    duration_s: doublePrecision('duration_s').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.stream_kind, t.decision] })],
);
