import { readAuditHead } from '#core/api';
import type { auditOperations } from '#core/api/operations';
import { listAudit, verifyAudit } from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of the audit log. */
export const auditHandlers = {
  list_audit: ({ store, call }, { query }) => listAudit(store, call, query),
  verify_audit: ({ store, call }, { query }) =>
    verifyAudit(store, call, { noted: query.head === undefined ? null : readAuditHead(query.head) }),
} satisfies HandlersOf<typeof auditOperations>;
