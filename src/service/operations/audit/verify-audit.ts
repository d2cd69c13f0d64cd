import type { AuditHead, AuditVerification } from '#core/api';
import { auditRows, type Store, type TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import {
  type AuditFault,
  beyondHead,
  chainStart,
  faultOf,
  headless,
  missing,
  rewritten,
} from './audit-chain.ts';

/** Rows read at once: few enough that the event loop is free again within milliseconds. */
const batch = 250;

/**
 * Walks the tenant's audit chain and names the first row that does not hold, and why. `noted` is a head written down
 * earlier: it finds out a log that was replaced as a whole. Holds one batch at a time.
 */
export async function verifyAudit(
  store: Store,
  call: Call,
  { noted = null }: { readonly noted?: AuditHead | null } = {},
): Promise<AuditVerification> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  const end = await auditRows.getAuditHead(scope);
  if (end === null || end.sequence < 1) return verdict(chainStart, headless);
  const walked = await walk(scope, end, noted);
  return verdict(walked.last, walked.fault ?? (await faultAtEnd(scope, walked.last, end, noted)));
}

interface Walked {
  /** Last row that holds. */
  readonly last: AuditHead;
  readonly fault: AuditFault | null;
}

/** What is written while it walks comes after `end` and is left for the next time. */
async function walk(scope: TenantScope, end: AuditHead, noted: AuditHead | null): Promise<Walked> {
  const followersOf = (digest: string) => auditRows.findAuditFollowers(scope, digest);
  let last = chainStart;
  for (let after: number | null = null; ; after = last.sequence) {
    const rows = await auditRows.readAuditChain(scope, { after, last: end.sequence, limit: batch });
    for (const row of rows) {
      const fault = (await faultOf(row, last, followersOf)) ?? faultAgainst(row, noted);
      if (fault !== null) return { last, fault };
      last = { sequence: row.sequence, digest: row.digest };
    }
    if (rows.length < batch) return { last, fault: null };
  }
}

/** Whether the row is another than the one that was written down. */
const faultAgainst = (row: AuditHead, noted: AuditHead | null): AuditFault | null =>
  noted !== null && row.sequence === noted.sequence && row.digest !== noted.digest
    ? rewritten(row.sequence)
    : null;

async function faultAtEnd(
  scope: TenantScope,
  last: AuditHead,
  end: AuditHead,
  noted: AuditHead | null,
): Promise<AuditFault | null> {
  if (last.sequence < end.sequence) return missing(last.sequence + 1, end.sequence);
  if (last.digest !== end.digest) return rewritten(last.sequence);
  if (noted !== null && noted.sequence > last.sequence) return missing(last.sequence + 1, noted.sequence);
  // In this order: a row that is being written now moves the head with it.
  const highest = await auditRows.getLastAuditSequence(scope);
  const head = await auditRows.getAuditHead(scope);
  return highest !== null && highest > (head?.sequence ?? 0) ? beyondHead((head?.sequence ?? 0) + 1) : null;
}

function verdict(last: AuditHead, fault: AuditFault | null): AuditVerification {
  return {
    intact: fault === null,
    rows: last.sequence,
    head: last.sequence === 0 ? null : last,
    fault,
  };
}
