import { canonicalJson, type JsonObject, type JsonValue, newId, sha256 } from '#core';
import type { AuditEntry } from '#core/api';
import { auditRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { auditDigest, chainStart } from './audit-chain.ts';

/** An action as the audit log records it. */
export interface AuditedAction {
  /** `verb_noun`: the operation id of the API where there is one. */
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string;
  /**
   * The object before and after the action; null if it did not or does not exist. Only the SHA-256 of each is stored.
   */
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** Details for readers of the log, without secrets. Defaults to `{}`. */
  readonly detail?: JsonObject;
}

/**
 * Appends an entry to the tenant's audit chain, in the transaction of the change that it records. Call it last in
 * that transaction: it locks the chain, so the tenant's other writers wait until the commit.
 */
export async function appendAudit(store: Store, call: Call, act: AuditedAction): Promise<void> {
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
      before_hash: hashValue(act.before),
      after_hash: hashValue(act.after),
      detail: act.detail ?? {},
      request_id: call.request_id,
      previous_digest: head.digest,
    };
    const digest = auditDigest({ ...entry, tenant_id: scope.tenant_id });
    await auditRows.insertAuditEntry(scope, { ...entry, digest });
  });
}

/**
 * Returns the id of the caller for `created_by` and the log: the user's, or the token's if the token belongs to no
 * user.
 */
export function actorId({ actor }: Call): string {
  return actor.user_id ?? actor.token_id;
}

const hashValue = (value: JsonValue): string | null => (value === null ? null : sha256(canonicalJson(value)));

/** Filters and page of the audit log. */
export interface AuditQuery {
  /** `actor_id` of the entries. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly object_id?: string | undefined;
  /** Time range as RFC 3339, including `from` and excluding `to`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Returns one page of the tenant's audit log, newest first. Only admins may read it. */
export async function listAudit(store: Store, call: Call, query: AuditQuery): Promise<Page<AuditEntry>> {
  requireRole(call, 'admin');
  const cursor = readCursor(query.cursor, /^[1-9]\d{0,14}$/);
  const time = (text: string | undefined) => (text === undefined ? null : new Date(text));
  const rows = await auditRows.listAudit(scopeOf(store, call), {
    actor_id: query.actor ?? null,
    action: query.action ?? null,
    object_id: query.object_id ?? null,
    from: time(query.from),
    to: time(query.to),
    before: cursor === null ? null : Number(cursor),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ sequence }) => String(sequence), toAuditEntry);
}

function toAuditEntry({ tenant_id, at, role, ...row }: auditRows.AuditRow): AuditEntry {
  return { ...row, at: at.toISOString(), role: role as AuditEntry['role'] };
}
