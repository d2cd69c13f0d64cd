import { readAuditHead } from '#contract';
import type { auditOperations } from '#operations';
import { listAudit, verifyAudit } from '#services';
import type { HandlersOf } from '../handler.ts';

/** The audit log. */
export const auditHandlers = {
  list_audit: ({ store, call }, { query }) => listAudit(store, call, query),
  verify_audit: ({ store, call }, { query }) =>
    verifyAudit(store, call, { noted: query.head === undefined ? null : readAuditHead(query.head) }),
} satisfies HandlersOf<typeof auditOperations>;
