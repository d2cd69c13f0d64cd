import type { Decision } from '#core/api';
import type { Kind } from '#core/episode';
import { bigint, numeric, pgTable, primaryKey, text } from '../drizzle.ts';
import { tenantId } from './columns.ts';

/**
 * Property by which episodes are counted. `run`: run that judged them last; `kinds`: judged kind and kind derived from
 * streams; `score`: hundredths as three digits.
 */
export type ShareFacet =
  | 'outcome'
  | 'robot'
  | 'flag'
  | 'source'
  | 'task'
  | 'format'
  | 'run'
  | 'kinds'
  | 'score';

const count = (name: string) => bigint(name, { mode: 'number' }).notNull();

/** Number of episodes of a project by value of a facet; maintained only by triggers on `episodes`. */
export const projectShares = pgTable(
  'project_shares',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    facet: text('facet').$type<ShareFacet>().notNull(),
    /** The value; for robots and tasks its hash, empty if no robot is named. */
    key: text('key').notNull(),
    /** The robot's name. */
    robot: text('robot'),
    episodes: count('episodes'),
    /** Episodes not rejected by a person, else the machine; for tasks only if the task is not empty. */
    usable: count('usable'),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.facet, t.key] })],
);

const sum = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);
/**
 * Creates a decimal column, so that adding and subtracting leaves no rounding error. Infinite durations add nothing.
 */
const seconds = (name: string) => numeric(name, { mode: 'number' }).notNull().default(0);

/** Number of episodes by kind and decision; maintained only by triggers on `episodes`. */
export const projectCounts = pgTable(
  'project_counts',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    /** Kind derived from the streams. */
    stream_kind: text('stream_kind').$type<Kind>().notNull(),
    decision: text('decision').$type<Decision>().notNull(),
    episodes: sum('episodes'),
    reviewed: sum('reviewed'),
    cameras: sum('cameras'),
    duration_s: seconds('duration_s'),
    unscored: sum('unscored'),
    /** Reviewed with another decision than that of the machine. */
    overruled: sum('overruled'),
    /** By the decision of a person, else of the machine. */
    accepted: sum('accepted'),
    rejected: sum('rejected'),
    /** Over episodes that are not rejected. */
    usable_s: seconds('usable_s'),
    instructed: sum('instructed'),
    with_outcome: sum('with_outcome'),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.stream_kind, t.decision] })],
);
