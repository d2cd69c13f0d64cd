import { AssayError, messageOf } from './errors.ts';

/** Returns the system error code of an error (`ENOENT`, `ENOSPC`), or `null` if it has none. */
export function systemCode(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}

/**
 * Converts a file system error of the blob folder to `storage_unavailable` with advice; returns an AssayError
 * unchanged.
 */
export function blobFolderError(thrown: unknown, folder: string): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const code = systemCode(thrown);
  return new AssayError('storage_unavailable', `cannot use the blob folder: ${messageOf(thrown)}`, {
    path: folder,
    advice:
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'the disk is full: free some space; data already stored is not affected'
        : 'check that the folder exists and that this user can read and write it',
    cause: thrown,
  });
}
