import type { Decision } from '#core/api';
import type { Kind } from '#core/episode';
import { bigint, numeric, pgTable, primaryKey, text } from '../drizzle.ts';
import { tenantId } from './columns.ts';

const sum = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);
/** Decimal: what is added and taken away again leaves nothing behind. Episodes of endless duration add none. */
const seconds = (name: string) => numeric(name, { mode: 'number' }).notNull().default(0);

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
    duration_s: seconds('duration_s'),
    unscored: sum('unscored'),
    /** Reviewed otherwise than the machine decided. */
    overruled: sum('overruled'),
    /** By a person's decision, or the machine's where no person has decided. */
    accepted: sum('accepted'),
    rejected: sum('rejected'),
    /** Of those not rejected: */
    usable_s: seconds('usable_s'),
    instructed: sum('instructed'),
    with_outcome: sum('with_outcome'),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.stream_kind, t.decision] })],
);
