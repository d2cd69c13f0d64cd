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

/** Opens a file of a tree; throws what keeps it from being read at all. Whoever opened it closes it. */
export async function openHdf5(tree: SourceTree, path: string): Promise<Hdf5File> {
  const bytes = tree.entry(path)?.bytes ?? 0;
  return openFile(await tree.openFile(path), { path, bytes, toError });
}

/** Looks for the signature at 0 and behind user blocks of usual size; cheap. */
export async function isHdf5(tree: SourceTree, path: string): Promise<boolean> {
  const size = tree.entry(path)?.bytes ?? 0;
  if (size < 8) return false;
  if (startsAsHdf5(await tree.head(path, 8))) return true;
  return size >= 520 && isHdf5Head(await tree.head(path, Math.min(size, headBytes)));
}

const ofTheFile: ReadonlySet<string> = new Set(['unreadable_input', 'unsupported_version', 'limit_exceeded']);

/**
 * What one can do without: null where the file is damaged there, or holds what is not read. Everything else, such as a
 * fault of the disk, is thrown on.
 */
export async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof AssayError && ofTheFile.has(thrown.code)) return null;
    throw thrown;
  }
}

function toError({ kind, message, path, place, advice }: Hdf5Error): AssayError {
  return new AssayError(codes[kind], message, { path, ...(place === null ? {} : { place }), advice });
}
