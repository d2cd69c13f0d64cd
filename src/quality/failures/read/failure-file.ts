import { AssayError } from '#core';
import { type FailureRecord, failureRecordSchema, mostFailures } from '#core/api';

/** What a file says failed. */
export interface FailureFile {
  readonly records: readonly FailureRecord[];
  /** What of it was passed over, in words. */
  readonly notes: readonly string[];
}

/** Rows of a file as records. Throws `unreadable_input` naming the first that is none, `limit_exceeded`. */
export function recordsOf(
  rows: readonly unknown[],
  path: string,
  where: (i: number) => string,
): FailureRecord[] {
  if (rows.length > mostFailures)
    throw new AssayError(
      'limit_exceeded',
      `${path} has ${rows.length} failures; ${mostFailures} are read at once`,
      {
        path,
        advice: 'split the file',
      },
    );
  const seen = new Set<string>();
  return rows.map((row, i) => {
    const read = failureRecordSchema.safeParse(row);
    if (!read.success) {
      const [{ path: at, message }] = read.error.issues;
      throw unreadable(path, `${where(i)}: ${at.join('/') || 'the record'}: ${message}`);
    }
    if (seen.has(read.data.id))
      throw unreadable(path, `${where(i)}: there is another record ${read.data.id}`);
    seen.add(read.data.id);
    return read.data;
  });
}

export const unreadable = (path: string, why: string): AssayError =>
  new AssayError('unreadable_input', `${path} is no list of failures: ${why}`, {
    path,
    advice: 'docs/failures.md says what such a file holds',
  });
