import type { Role } from '#core/api';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** Tenants of the installation. */
export const tenants = pgTable('tenants', {
  id: text('id').primaryKey(),
  name: text('name').notNull().unique(),
  created_at: createdAt(),
});

/** Users of a tenant. */
export const users = pgTable(
  'users',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    role: text('role').$type<Role>().notNull(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
    /** Time at which the invitation was exchanged for a token; null until then. */
    accepted_at: at('accepted_at'),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.id] }), uniqueIndex('users_email').on(t.tenant_id, t.email)],
);

/** Access tokens; only their SHA-256 is stored. */
export const tokens = pgTable(
  'tokens',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    user_id: text('user_id'),
    name: text('name').notNull(),
    role: text('role').$type<Role>().notNull(),
    sha256: text('sha256').notNull().unique(),
    /** Valid for one exchange only: an invitation. */
    one_time: text('one_time').$type<'invitation'>(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
    expires_at: at('expires_at'),
    last_used_at: at('last_used_at'),
    revoked_at: at('revoked_at'),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.id] })],
);

/** Append-only audit log; `digest` covers the row and `previous_digest`, so that changes and gaps are detected. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    tenant_id: tenantId(),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    id: text('id').notNull(),
    at: at('at').notNull(),
    actor_id: text('actor_id').notNull(),
    actor_name: text('actor_name').notNull(),
    role: text('role').notNull(),
    action: text('action').notNull(),
    object_type: text('object_type').notNull(),
    object_id: text('object_id').notNull(),
    /** SHA-256 of the canonical JSON of the object; null if there was or is none. */
    before_hash: text('before_hash'),
    after_hash: text('after_hash'),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
    request_id: text('request_id').notNull(),
    previous_digest: text('previous_digest').notNull(),
    digest: text('digest').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.sequence] }),
    uniqueIndex('audit_id').on(t.tenant_id, t.id),
    index('audit_object').on(t.tenant_id, t.object_id, t.sequence),
    index('audit_actor').on(t.tenant_id, t.actor_id, t.sequence),
    index('audit_action').on(t.tenant_id, t.action, t.sequence),
    index('audit_time').on(t.tenant_id, t.at),
  ],
);

/** End of the audit chain of each tenant, so that rows removed from its end are detected. */
export const auditHeads = pgTable('audit_heads', {
  tenant_id: text('tenant_id').primaryKey(),
  sequence: bigint('sequence', { mode: 'number' }).notNull(),
  digest: text('digest').notNull(),
});

/** Model choices of a tenant by surface; invalid values are ignored when read. No row means none. */
export const tenantModels = pgTable('tenant_models', {
  tenant_id: tenantId().primaryKey(),
  models: jsonb('models').notNull(),
  updated_at: at('updated_at').notNull(),
});

/** A POST request with an `Idempotency-Key`: which request runs it, and its answer. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    tenant_id: tenantId(),
    token_id: text('token_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the operation and its input. */
    request_hash: text('request_hash').notNull(),
    /** The request that runs it until `claimed_until`, unless it renews its claim. */
    claim: text('claim').notNull(),
    claimed_until: at('claimed_until').notNull(),
    /** True once something was committed, so that it must not run again. */
    in_effect: boolean('in_effect').notNull(),
    /** Null until there is an answer. */
    status: integer('status'),
    /** Encrypted with the token, because an answer may contain a secret that is shown only once. */
    answer: text('answer'),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.token_id, t.key] }),
    index('idempotency_age').on(t.created_at),
  ],
);
