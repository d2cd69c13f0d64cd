import { desc, eq } from 'drizzle-orm';
import { canonicalJson, type JsonObject, type JsonValue, newId, sha256 } from '#kernel';
import { type Store, tables } from '#store';
import { type Call, scopeOf } from '../call.ts';

export interface AuditedAct {
  /** `verb_noun`, as in the contract where there is an operation. */
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string;
  /** The object as it was and as it is; null where there was or is none. Only their hashes are kept. */
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** What a reader of the log needs; nothing secret. */
  readonly detail?: JsonObject;
}

/** First row's `previous_digest`. */
export const chainStart = '0'.repeat(64);

/** Adds a row to the tenant's audit chain, in the transaction of the change it tells of. */
export async function appendAudit(store: Store, call: Call, act: AuditedAct): Promise<void> {
  const { sql, tenant_id } = scopeOf(store, call);
  const log = tables.auditEntries;
  await store.database.transaction(async () => {
    // One writer a tenant: the next row must know this one's digest.
    await store.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `audit:${tenant_id}`,
    ]);
    const [last] = await sql
      .select({ sequence: log.sequence, digest: log.digest })
      .from(log)
      .where(eq(log.tenant_id, tenant_id))
      .orderBy(desc(log.sequence))
      .limit(1);
    const entry = {
      tenant_id,
      sequence: (last?.sequence ?? 0) + 1,
      id: newId('aud'),
      at: call.now,
      actor_id: call.actor.user_id ?? call.actor.token_id,
      actor_name: call.actor.name,
      role: call.actor.role,
      action: act.action,
      object_type: act.object_type,
      object_id: act.object_id,
      before_hash: hashOf(act.before),
      after_hash: hashOf(act.after),
      detail: act.detail ?? {},
      request_id: call.request_id,
      previous_digest: last?.digest ?? chainStart,
    };
    await sql.insert(log).values({ ...entry, digest: auditDigest(entry) });
  });
}

/** SHA-256 over the canonical JSON of a row without its digest. */
export function auditDigest(entry: Omit<typeof tables.auditEntries.$inferSelect, 'digest'>): string {
  const { at, ...rest } = entry;
  return sha256(canonicalJson({ ...rest, at: at.toISOString() } as JsonObject));
}

const hashOf = (value: JsonValue): string | null => (value === null ? null : sha256(canonicalJson(value)));
