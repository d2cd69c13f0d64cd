import { pgTable, primaryKey, text } from '../drizzle.ts';
import { at, tenantId, vector } from './columns.ts';

/**
 * Vector of each distinct text of a project, by the model that computed it. Texts are tasks of episodes and sentences of
 * annotations.
 */
export const textVectors = pgTable(
  'text_vectors',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    /** Id of the model in the registry. */
    model: text('model').notNull(),
    /** First 12 digits of the MD5 of the text, as in `task_key` and `sentence_keys`. */
    key: text('key').notNull(),
    /** Of length 1. */
    vector: vector('vector').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.model, t.key] })],
);

/** Projects whose texts all had a vector of a model at some time; texts that were added since may have none yet. */
export const textIndexes = pgTable(
  'text_indexes',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    /** Id of the model in the registry. */
    model: text('model').notNull(),
    completed_at: at('completed_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.model] })],
);
