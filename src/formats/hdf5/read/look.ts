import type { Hdf5File } from '@assay/hdf5';
import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { openHdf5 } from '../../shared/hdf5-file.ts';
import { hdf5Families } from './families.ts';
import type { Hdf5Recording } from './family.ts';
import { unknownLayout } from './unknown-layout.ts';

/** What a recording says of itself: plain data, which keeps nothing of the file in memory. */
export type SeenRecording = Omit<Hdf5Recording, 'read' | 'picture'>;

/** What was seen of one file before any episode is read. */
export type FileLook = { readonly path: string; readonly bytes: number } & (
  | { readonly kind: 'recording'; readonly recording: SeenRecording }
  | { readonly kind: 'unknown'; readonly finding: Finding }
  | { readonly kind: 'unreadable'; readonly error: AssayError }
);

const atOnce = 8;

/** Looks into every file, a few at a time, in the order of the list. */
export async function lookAtFiles(tree: SourceTree): Promise<FileLook[]> {
  const looks: FileLook[] = [];
  for (let from = 0; from < tree.files.length; from += atOnce) {
    const batch = tree.files.slice(from, from + atOnce);
    looks.push(...(await Promise.all(batch.map(({ path }) => look(tree, path)))));
  }
  return looks;
}

async function look(tree: SourceTree, path: string): Promise<FileLook> {
  const base = { path, bytes: tree.entry(path)?.bytes ?? 0 };
  try {
    return await withFile(tree, path, async (file) => {
      const recording = await recordingOf(file);
      if (recording === null) return { ...base, kind: 'unknown', finding: await unknownLayout(file) };
      const { read: _read, picture: _picture, ...seen } = recording;
      return { ...base, kind: 'recording', recording: seen };
    });
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return { ...base, kind: 'unreadable', error: thrown };
  }
}

/** The family that knows a file, and what it sees in it; null: none. */
export async function recordingOf(file: Hdf5File): Promise<Hdf5Recording | null> {
  try {
    for (const family of hdf5Families) {
      const recording = await family.open(file);
      if (recording !== null) return recording;
    }
    return null;
  } catch (thrown) {
    throw thrown instanceof AssayError ? withCause(thrown, file) : thrown;
  }
}

/** Of a file that was cut off or not closed, that is the reason for whatever is missing. */
function withCause(error: AssayError, { findings, path }: Hdf5File): AssayError {
  const [cause] = findings;
  if (cause === undefined) return error;
  return new AssayError(error.code, `${cause.message}; ${error.message}`, {
    path,
    advice: cause.advice,
    cause: error,
  });
}

/** Works with a file, and closes it however that ends. */
export async function withFile<T>(
  tree: SourceTree,
  path: string,
  use: (file: Hdf5File) => Promise<T>,
): Promise<T> {
  const file = await openHdf5(tree, path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
