// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type { ListAuditInput, VerifyAuditInput } from '../types/audit-calls.ts';
import type { AuditEntry, AuditVerification } from '../types/audit.ts';
import type { Page } from '../types/shared.ts';

export const audit = ({ call }: Calls) => ({
  /**
   * List audit log entries, newest first.
   *
   * Requires the role `admin` or higher.
   */
  list: (input: ListAuditInput = {}, options?: CallOptions): Promise<Page<AuditEntry>> =>
    call('list_audit', input, options),

  /**
   * Verify the integrity of the audit log.
   *
   * Checks the whole hash chain for entries that were changed, removed, reordered or inserted. With a
   * `head` recorded earlier it also detects replacement of the whole log by another consistent one.
   *
   * Requires the role `admin` or higher.
   */
  verify: (input: VerifyAuditInput = {}, options?: CallOptions): Promise<AuditVerification> =>
    call('verify_audit', input, options),
});
