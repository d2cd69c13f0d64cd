import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError } from '#kernel';
import { type RecordingsRef, S3Recordings, type Store, sourceRows, type TenantScope } from '#store';
import { recordingsOf } from '../../sources/recordings-of.ts';

/** Where an episode's recordings can be opened now. Throws `not_found` where they cannot any more. */
export async function recordingsNow(
  store: Store,
  scope: TenantScope,
  source_id: string,
): Promise<RecordingsRef> {
  const source = await sourceRows.getSource(scope, source_id);
  if (source === null) throw gone('the source was taken out');
  return recordingsOf(store, source).catch((thrown: unknown) => {
    // What a path says about itself is of no use to whoever asks for a frame.
    if (thrown instanceof AssayError && thrown.code === 'invalid_request') throw gone(thrown.message);
    throw thrown;
  });
}

/**
 * Works while one file of a dataset is there by name, below the absolute folder given to `work`. Throws `not_found`
 * where it is gone, `conflict` where it is no longer of the size that was judged.
 */
export async function withFile<Answer>(
  recordings: RecordingsRef,
  dataset: string,
  { path, bytes }: { readonly path: string; readonly bytes: number | undefined },
  work: (root: string) => Promise<Answer>,
): Promise<Answer> {
  if (recordings.kind === 'folder') {
    const root = join(await folderOf(recordings.path), dataset);
    await demandSize(join(root, path), path, bytes);
    return work(root);
  }
  const store = await S3Recordings.open(recordings);
  try {
    const held = await store.hold([join(dataset, path)]);
    try {
      await demandSize(held.absolute(join(dataset, path)), path, bytes);
      return await work(join(store.root, dataset));
    } finally {
      await held.release();
    }
  } finally {
    await store.close();
  }
}

/** A source may be one file: paths start from its folder then. */
async function folderOf(path: string): Promise<string> {
  const info = await stat(path).catch(() => null);
  return info?.isFile() === true ? dirname(path) : path;
}

async function demandSize(file: string, path: string, bytes: number | undefined): Promise<void> {
  const info = await stat(file).catch(() => null);
  if (info === null) throw gone(`the file ${path} is not in the source any more`);
  if (bytes === undefined || info.size === bytes) return;
  throw new AssayError('conflict', `${path} is ${info.size} bytes, it was ${bytes} when it was judged`, {
    advice: 'start a run of the source, so that what is shown is what was judged',
  });
}

const gone = (message: string): AssayError =>
  new AssayError('not_found', message, { advice: 'bring the recordings back to where they were' });
