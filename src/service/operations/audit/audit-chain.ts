import { canonicalJson, sha256 } from '#core';
import type { AuditHead, AuditVerification } from '#core/api';
import { auditRows, type Store, type TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';

/** Entries read per query; small enough that the event loop is blocked for milliseconds only. */
const rowsPerBatch = 250;

/**
 * Verifies the tenant's audit chain and returns its last verified entry and the first inconsistency with the reason (null if
 * it is intact). `noted` is a head that somebody wrote down earlier; it detects a log that was replaced as a whole. One batch
 * of entries is in memory at a time.
 */
export async function verifyAudit(
  store: Store,
  call: Call,
  { noted = null }: { readonly noted?: AuditHead | null } = {},
): Promise<AuditVerification> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  const end = await auditRows.getAuditHead(scope);
  if (end === null || end.sequence < 1) return toVerification(chainStart, missingHeadFault);
  const walked = await walkChain(scope, end, noted);
  return toVerification(walked.last, walked.fault ?? (await findFaultAtEnd(scope, walked.last, end, noted)));
}

interface WalkResult {
  /** Last entry that was verified. */
  readonly last: AuditHead;
  readonly fault: AuditFault | null;
}

/**
 * Verifies the entries up to `end` and returns the last one that is correct and the first fault, null if there is none;
 * entries that are appended meanwhile are not covered.
 */
async function walkChain(scope: TenantScope, end: AuditHead, noted: AuditHead | null): Promise<WalkResult> {
  const followersOf = (digest: string) => auditRows.findAuditFollowers(scope, digest);
  let last = chainStart;
  for (let after: number | null = null; ; after = last.sequence) {
    const rows = await auditRows.readAuditChain(scope, { after, last: end.sequence, limit: rowsPerBatch });
    for (const row of rows) {
      const fault = (await findFault(row, last, followersOf)) ?? compareWithNotedHead(row, noted);
      if (fault !== null) return { last, fault };
      last = { sequence: row.sequence, digest: row.digest };
    }
    if (rows.length < rowsPerBatch) return { last, fault: null };
  }
}

/** Returns a fault if the entry has the sequence number of the noted head but another digest; else null. */
const compareWithNotedHead = (row: AuditHead, noted: AuditHead | null): AuditFault | null =>
  noted !== null && row.sequence === noted.sequence && row.digest !== noted.digest
    ? rewrittenFault(row.sequence)
    : null;

async function findFaultAtEnd(
  scope: TenantScope,
  last: AuditHead,
  end: AuditHead,
  noted: AuditHead | null,
): Promise<AuditFault | null> {
  if (last.sequence < end.sequence) return missingFault(last.sequence + 1, end.sequence);
  if (last.digest !== end.digest) return rewrittenFault(last.sequence);
  if (noted !== null && noted.sequence > last.sequence)
    return missingFault(last.sequence + 1, noted.sequence);
  // Read in this order, because a concurrent append writes the entry and the head together.
  const highest = await auditRows.getLastAuditSequence(scope);
  const head = await auditRows.getAuditHead(scope);
  return highest !== null && highest > (head?.sequence ?? 0)
    ? beyondHeadFault((head?.sequence ?? 0) + 1)
    : null;
}

function toVerification(last: AuditHead, fault: AuditFault | null): AuditVerification {
  return {
    intact: fault === null,
    rows: last.sequence,
    head: last.sequence === 0 ? null : last,
    fault,
  };
}

type AuditRow = auditRows.AuditRow;
/** The first inconsistency of an audit chain. */
type AuditFault = NonNullable<AuditVerification['fault']>;

/** Head that the first entry of a chain follows. */
export const chainStart: AuditHead = { sequence: 0, digest: '0'.repeat(64) };

/** Returns the SHA-256 of the canonical JSON of an entry without its digest. */
export function auditDigest(entry: Omit<AuditRow, 'digest'>): string {
  const { at, ...rest } = entry;
  return sha256(canonicalJson({ ...rest, at: at.toISOString() }));
}

/**
 * Returns the fault of an entry that does not follow the head `before`; null if it does. `followersOf` returns the
 * sequence numbers of entries that name a digest as their predecessor.
 */
async function findFault(
  row: AuditRow,
  before: AuditHead,
  followersOf: (digest: string) => Promise<readonly number[]>,
): Promise<AuditFault | null> {
  const { digest, ...content } = row;
  const due = before.sequence + 1;
  if (row.sequence < due) return addedFault(row.sequence);
  const whole = auditDigest(content) === digest;
  if (whole && row.sequence === due && row.previous_digest === before.digest) return null;
  const movedTo = (await followersOf(before.digest)).find((sequence) => sequence !== due);
  if (movedTo !== undefined) return reorderedFault(due, movedTo);
  if (row.sequence > due) return missingFault(due, row.sequence - 1);
  // The entry is consistent in itself but follows another digest, so the entry before it was replaced.
  return whole ? rewrittenFault(Math.max(1, before.sequence)) : changedFault(due);
}

const addedFault = (sequence: number): AuditFault => ({
  kind: 'added',
  sequence,
  message: `entry ${sequence} was inserted: the log did not write an entry with this number`,
});

const reorderedFault = (due: number, found: number): AuditFault => ({
  kind: 'reordered',
  sequence: due,
  message: `entry ${due} was moved: the entry that follows entry ${due - 1} now has the number ${found}`,
});

const changedFault = (sequence: number): AuditFault => ({
  kind: 'changed',
  sequence,
  message: `entry ${sequence} was changed: its digest does not match its content`,
});

/** Returns the fault for missing entries `from` to `to`, both included. */
function missingFault(from: number, to: number): AuditFault {
  const message = from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`;
  return { kind: 'missing', sequence: from, message };
}

/** Returns the fault for an entry that is consistent in itself but differs from the one that was logged. */
function rewrittenFault(sequence: number): AuditFault {
  return {
    kind: 'rewritten',
    sequence,
    message: `entry ${sequence} was replaced: it is consistent in itself but is not the entry that was logged`,
  };
}

/** Returns the fault for an entry beyond the stored head, which moves with every entry that the log appends. */
function beyondHeadFault(sequence: number): AuditFault {
  return {
    kind: 'added',
    sequence,
    message: `entry ${sequence} was inserted: it comes after the recorded end of the log`,
  };
}

/** Fault for a chain without a stored head. */
const missingHeadFault: AuditFault = {
  kind: 'missing',
  sequence: 1,
  message: 'the recorded end of the log is missing, or the log was never started',
};
