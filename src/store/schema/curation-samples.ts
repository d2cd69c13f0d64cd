import { customType, doublePrecision, index, integer, pgTable, primaryKey, text } from '../drizzle.ts';
import { tenantId } from './columns.ts';

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** What curation compares an episode by beside its descriptors, as it was sampled last; sampling again takes its place. */
export const curationSamples = pgTable(
  'curation_samples',
  {
    tenant_id: tenantId(),
    episode_id: text('episode_id').notNull(),
    project_id: text('project_id').notNull(),
    /** Samples of two versions are never compared. */
    version: integer('version').notNull(),
    /** SHA-256 of its numbers, or of its pictures' files. Null: it has neither. */
    content_hash: text('content_hash'),
    /** Rest at both ends. Null: it has no time, or nothing moves. */
    head_s: doublePrecision('head_s'),
    tail_s: doublePrecision('tail_s'),
    /** Of the sampled rows. Null: it has no states and no actions. */
    layout: text('layout'),
    state_dims: integer('state_dims'),
    action_dims: integer('action_dims'),
    rows: integer('rows'),
    /** Little-endian 32-bit floats, row-major; 64 rows of 64 dimensions at most. */
    states: bytea('states'),
    actions: bytea('actions'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.episode_id] }),
    index('curation_samples_project').on(t.tenant_id, t.project_id, t.version, t.episode_id),
  ],
);
