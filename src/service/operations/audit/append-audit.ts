import { canonicalJson, type JsonObject, type JsonValue, newId, sha256 } from '#core';
import { auditRows, type Store } from '#store';
import { type Call, scopeOf } from '../call.ts';
import { auditDigest, chainStart } from './audit-chain.ts';

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

/**
 * Adds a row to the tenant's audit chain, in the transaction of the change it tells of. Let it be the transaction's
 * last statement: from here until the commit the tenant's other writers wait.
 */
export async function appendAudit(store: Store, call: Call, act: AuditedAct): Promise<void> {
  const scope = scopeOf(store, call);
  await store.database.transaction(async () => {
    const head = await auditRows.lockAuditHead(scope, chainStart);
    const entry = {
      sequence: head.sequence + 1,
      id: newId('aud'),
      at: call.now,
      actor_id: actorId(call),
      actor_name: call.actor.name,
      role: call.actor.role,
      action: act.action,
      object_type: act.object_type,
      object_id: act.object_id,
      before_hash: hashOf(act.before),
      after_hash: hashOf(act.after),
      detail: act.detail ?? {},
      request_id: call.request_id,
      previous_digest: head.digest,
    };
    const digest = auditDigest({ ...entry, tenant_id: scope.tenant_id });
    await auditRows.insertAuditEntry(scope, { ...entry, digest });
  });
}

/** Who acts, for `created_by` and the log: the user, or the token that is no user's. */
export function actorId({ actor }: Call): string {
  return actor.user_id ?? actor.token_id;
}

const hashOf = (value: JsonValue): string | null => (value === null ? null : sha256(canonicalJson(value)));
