import { AssayError, messageOf } from './errors.ts';

/** The system's code of what was thrown: `ENOENT`, `ENOSPC`. */
export function systemCode(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}

/** What the file system threw, as `storage_unavailable` with what to do. */
export function folderFault(thrown: unknown, folder: string): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const code = systemCode(thrown);
  return new AssayError('storage_unavailable', `the blob folder cannot be used: ${messageOf(thrown)}`, {
    path: folder,
    advice:
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'the disk is full: make room; nothing stored before is harmed'
        : 'check that the folder exists and that this user may read and write it',
    cause: thrown,
  });
}
