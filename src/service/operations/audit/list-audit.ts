import type { AuditEntry } from '#core/api';
import { auditRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';

export interface AuditQuery {
  /** `actor_id` of the rows wanted. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly object_id?: string | undefined;
  /** RFC 3339: from this moment on, and before that one. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The tenant's audit log, newest first. */
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
  return pageOfRows(rows, query.limit, ({ sequence }) => String(sequence), entryOf);
}

function entryOf({ tenant_id, at, role, ...row }: auditRows.AuditRow): AuditEntry {
  return { ...row, at: at.toISOString(), role: role as AuditEntry['role'] };
}
