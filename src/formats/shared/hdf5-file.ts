import {
  type Hdf5Error,
  type Hdf5ErrorKind,
  type Hdf5File,
  headBytes,
  isHdf5 as isHdf5Head,
  openHdf5 as openFile,
  startsAsHdf5,
} from '@assay/hdf5';
import { AssayError, type ErrorCode } from '#core';
import type { SourceTree } from '#io/sources';

const codes: Readonly<Record<Hdf5ErrorKind, ErrorCode>> = {
  no_hdf5: 'unreadable_input',
  damaged: 'unreadable_input',
  unsupported: 'unsupported_version',
  limit_exceeded: 'limit_exceeded',
};

/**
 * Opens an HDF5 file of a source tree, which the caller must close; throws `unreadable_input`, `unsupported_version` or
 * `limit_exceeded` if it cannot be read at all.
 */
export async function openHdf5(tree: SourceTree, path: string): Promise<Hdf5File> {
  const bytes = tree.entry(path)?.bytes ?? 0;
  return openFile(await tree.openFile(path), { path, bytes, toError });
}

/**
 * True if the file has an HDF5 signature at offset 0 or after a user block of a usual size. Reads only the head of the
 * file.
 */
export async function isHdf5(tree: SourceTree, path: string): Promise<boolean> {
  const size = tree.entry(path)?.bytes ?? 0;
  if (size < 8) return false;
  if (startsAsHdf5(await tree.head(path, 8))) return true;
  return size >= 520 && isHdf5Head(await tree.head(path, Math.min(size, headBytes)));
}

const fileErrorCodes: ReadonlySet<string> = new Set([
  'unreadable_input',
  'unsupported_version',
  'limit_exceeded',
]);

/**
 * Returns the awaited value, or `null` if that part of the file is damaged or unsupported (`unreadable_input`,
 * `unsupported_version`, `limit_exceeded`). Other errors, such as disk faults, are rethrown.
 */
export async function nullIfUnreadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof AssayError && fileErrorCodes.has(thrown.code)) return null;
    throw thrown;
  }
}

function toError({ kind, message, path, place, advice }: Hdf5Error): AssayError {
  return new AssayError(codes[kind], message, { path, ...(place === null ? {} : { place }), advice });
}
