// Written by `npm run generate` from src/core/api. Change it there.
import type { ListAuditInput, VerifyAuditInput } from '../types/audit-calls.ts';
import type { AuditEntry, AuditVerification } from '../types/audit.ts';
import type { Page } from '../types/shared.ts';

export interface AuditOperations {
  list_audit: {
    input: ListAuditInput;
    answer: Page<AuditEntry>;
    error: 'forbidden' | 'rate_limited' | 'unauthenticated';
  };
  verify_audit: {
    input: VerifyAuditInput;
    answer: AuditVerification;
    error: 'forbidden' | 'rate_limited' | 'unauthenticated';
  };
}
