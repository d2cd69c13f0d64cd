import { boolean, index, integer, pgTable, primaryKey, text } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** A POST with an `Idempotency-Key`: who works on it, and what it answered. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    tenant_id: tenantId(),
    token_id: text('token_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the operation and what it was given. */
    request_hash: text('request_hash').notNull(),
    /** The request that works on it, until `claimed_until` unless it renews that. */
    claim: text('claim').notNull(),
    claimed_until: at('claimed_until').notNull(),
    /** Something of it was committed, so that it may not be begun again. */
    in_effect: boolean('in_effect').notNull(),
    /** Null while there is no answer to keep. */
    status: integer('status'),
    /** Encrypted under the token, since an answer may hold a secret that is shown once. */
    answer: text('answer'),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.token_id, t.key] }),
    index('idempotency_age').on(t.created_at),
  ],
);
