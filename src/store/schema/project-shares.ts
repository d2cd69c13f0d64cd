import { bigint, pgTable, primaryKey, text } from '../drizzle.ts';
import { tenantId } from './columns.ts';

/**
 * What episodes are counted by: `run` is the one that judged them last, `kinds` the kind that they were judged as and
 * the kind by their streams, `score` hundredths in three digits.
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

/** Episodes of a project that have something in common; triggers on `episodes` keep it true, nobody else writes it. */
export const projectShares = pgTable(
  'project_shares',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    facet: text('facet').$type<ShareFacet>().notNull(),
    /** What they have in common; of a robot or a task its hash, and nothing where no robot is named. */
    key: text('key').notNull(),
    /** The robot's name. */
    robot: text('robot'),
    episodes: count('episodes'),
    /** Not rejected, by a person or else the machine; of a task also: it says something. */
    usable: count('usable'),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.facet, t.key] })],
);
