import type { Role } from '#core/api';
import { bigint, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

export const tenants = pgTable('tenants', {
  id: text('id').primaryKey(),
  name: text('name').notNull().unique(),
  created_at: createdAt(),
});

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
    /** When the invitation was exchanged for a token; null until then. */
    accepted_at: at('accepted_at'),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.id] }), uniqueIndex('users_email').on(t.tenant_id, t.email)],
);

/** A token is kept as its SHA-256 only. */
export const tokens = pgTable(
  'tokens',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    user_id: text('user_id'),
    name: text('name').notNull(),
    role: text('role').$type<Role>().notNull(),
    sha256: text('sha256').notNull().unique(),
    /** Good for one exchange and for nothing else: an invitation. */
    one_time: text('one_time').$type<'invitation'>(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
    expires_at: at('expires_at'),
    last_used_at: at('last_used_at'),
    revoked_at: at('revoked_at'),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.id] })],
);

/** Append-only; `digest` covers the row and `previous_digest`, so that a change or a gap shows. */
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
    /** SHA-256 of the object's canonical JSON; null where there was or is none. */
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

/** Where each tenant's audit chain ends, so that rows taken off its end are missed. */
export const auditHeads = pgTable('audit_heads', {
  tenant_id: text('tenant_id').primaryKey(),
  sequence: bigint('sequence', { mode: 'number' }).notNull(),
  digest: text('digest').notNull(),
});
