// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type { ListAuditInput, VerifyAuditInput } from '../types/audit-calls.ts';
import type { AuditEntry, AuditVerification } from '../types/audit.ts';
import type { Page } from '../types/shared.ts';

export const audit = ({ call }: Calls) => ({
  /**
   * Read the audit log, newest first.
   *
   * Needs the role `admin`.
   */
  list: (input: ListAuditInput = {}, options?: CallOptions): Promise<Page<AuditEntry>> =>
    call('list_audit', input, options),

  /**
   * Check that no row of the audit log was changed, removed, moved or added.
   *
   * Walks the whole chain. With a `head` written down earlier it also finds out whether the log was
   * replaced since by another that holds together.
   *
   * Needs the role `admin`.
   */
  verify: (input: VerifyAuditInput = {}, options?: CallOptions): Promise<AuditVerification> =>
    call('verify_audit', input, options),
});
