import { canonicalJson, sha256 } from '#core';
import type { AuditHead, AuditVerification } from '#core/api';
import type { auditRows } from '#store';

type AuditRow = auditRows.AuditRow;
export type AuditFault = NonNullable<AuditVerification['fault']>;

/** What the first row follows. */
export const chainStart: AuditHead = { sequence: 0, digest: '0'.repeat(64) };

/** SHA-256 over the canonical JSON of a row without its digest. */
export function auditDigest(entry: Omit<AuditRow, 'digest'>): string {
  const { at, ...rest } = entry;
  return sha256(canonicalJson({ ...rest, at: at.toISOString() }));
}

/** What a row that does not follow the one before shows by itself; `followersOf` asks who names a digest as theirs. */
export async function faultOf(
  row: AuditRow,
  before: AuditHead,
  followersOf: (digest: string) => Promise<readonly number[]>,
): Promise<AuditFault | null> {
  const { digest, ...content } = row;
  const due = before.sequence + 1;
  if (row.sequence < due) return added(row.sequence);
  const whole = auditDigest(content) === digest;
  if (whole && row.sequence === due && row.previous_digest === before.digest) return null;
  const elsewhere = (await followersOf(before.digest)).find((sequence) => sequence !== due);
  if (elsewhere !== undefined) return reordered(due, elsewhere);
  if (row.sequence > due) return missing(due, row.sequence - 1);
  // A row that holds together but follows another: it is the one before that was replaced.
  return whole ? rewritten(Math.max(1, before.sequence)) : changed(due);
}

const added = (sequence: number): AuditFault => ({
  kind: 'added',
  sequence,
  message: `row ${sequence} was added by hand: nothing that the log wrote is numbered so`,
});

const reordered = (due: number, found: number): AuditFault => ({
  kind: 'reordered',
  sequence: due,
  message: `row ${due} is not in its place: what follows row ${due - 1} is now numbered ${found}`,
});

const changed = (sequence: number): AuditFault => ({
  kind: 'changed',
  sequence,
  message: `row ${sequence} was changed: its digest is not that of what it says`,
});

/** Rows `from` to `to` are gone. */
export function missing(from: number, to: number): AuditFault {
  const message = from === to ? `row ${from} is missing` : `rows ${from} to ${to} are missing`;
  return { kind: 'missing', sequence: from, message };
}

/** Row `sequence` holds together, but is not the one that was there. */
export function rewritten(sequence: number): AuditFault {
  return {
    kind: 'rewritten',
    sequence,
    message: `row ${sequence} was replaced: it holds together in itself, but it is not the row that was logged`,
  };
}

/** Rows after the head, which moves with every row that the log writes. */
export function beyondHead(sequence: number): AuditFault {
  return {
    kind: 'added',
    sequence,
    message: `row ${sequence} was added by hand: it stands after the end that the log kept of itself`,
  };
}

/** The log's own note of its end is gone. */
export const headless: AuditFault = {
  kind: 'missing',
  sequence: 1,
  message: 'the end that the log kept of itself is gone, or the log was never begun',
};
