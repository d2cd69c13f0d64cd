import type { CertificationPolicy } from '#core/api';
import { integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** A version of the certification policy of a project; immutable. */
export const certificationPolicies = pgTable(
  'certification_policies',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    /** Version number, from 1 in each project. */
    version: integer('version').notNull(),
    policy_hash: text('policy_hash').notNull(),
    policy: jsonb('policy').$type<CertificationPolicy>().notNull(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    uniqueIndex('certification_policies_version').on(t.tenant_id, t.project_id, t.version),
  ],
);

/** A public key for bundles of a tenant. Private keys are never stored in the database. */
export const signingKeys = pgTable(
  'signing_keys',
  {
    tenant_id: tenantId(),
    /** SHA-256 of its DER encoding. */
    keyid: text('keyid').notNull(),
    /** PEM. */
    public_key: text('public_key').notNull(),
    place: text('place').$type<'local_file' | 'command'>().notNull(),
    valid_from: at('valid_from').notNull(),
    /** Time at which it was replaced; null for the current key. */
    valid_until: at('valid_until'),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.keyid] })],
);
