import { jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { at, tenantId } from './columns.ts';

/** Classes that a workspace declares, or names that a project gives to what recordings say. */
export const ontologies = pgTable(
  'ontologies',
  {
    tenant_id: tenantId(),
    /** A workspace or a project. */
    owner_id: text('owner_id').notNull(),
    declared: jsonb('declared').$type<readonly string[]>().notNull(),
    renames: jsonb('renames').$type<Readonly<Record<string, string>>>().notNull(),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.owner_id] })],
);
