import { AssayError } from '#core';
import { type FailureRecord, failureRecordSchema, maxFailures } from '#core/api';

/** Failures read from a file. */
export interface FailureFile {
  readonly records: readonly FailureRecord[];
  /** Notes on content that was skipped, for users. */
  readonly notes: readonly string[];
}

/**
 * Parses rows of a file as records. Throws `unreadable_input` for the first invalid or repeated one, `limit_exceeded`
 * for too many rows.
 */
export function parseRecords(
  rows: readonly unknown[],
  path: string,
  where: (i: number) => string,
): FailureRecord[] {
  if (rows.length > maxFailures)
    throw new AssayError(
      'limit_exceeded',
      `${path} has ${rows.length} failures; the maximum per file is ${maxFailures}`,
      {
        path,
        advice: 'split the file',
      },
    );
  const seenIds = new Set<string>();
  return rows.map((row, i) => {
    const read = failureRecordSchema.safeParse(row);
    if (!read.success) {
      const [{ path: at, message }] = read.error.issues;
      throw unreadable(path, `${where(i)}: ${at.join('/') || 'the record'}: ${message}`);
    }
    if (seenIds.has(read.data.id)) throw unreadable(path, `${where(i)}: duplicate id ${read.data.id}`);
    seenIds.add(read.data.id);
    return read.data;
  });
}

/** Returns an `unreadable_input` error for a file of failures. */
export const unreadable = (path: string, why: string): AssayError =>
  new AssayError('unreadable_input', `${path} is not a valid failure file: ${why}`, {
    path,
    advice: 'see docs/failures.md for the file format',
  });
