import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Store, sourceRows } from '#store';
import { closeRecordings, openRecordings } from '../assessment/recordings.ts';
import { recordingsOf } from './recordings-of.ts';

export interface FilesOfDataset {
  /** Folder of the dataset relative to its source; '' or '.' for the source itself. */
  readonly dataset_path: string;
  /** Files relative to the dataset. */
  readonly paths: readonly string[];
}

/**
 * Runs `work` while files of a source can be opened by name: below `root`, the folder that a dataset's paths start
 * from. Files in a bucket are fetched for that. Throws as `recordingsOf`, and `not_found` for a file that is not there.
 */
export async function withFiles<T>(
  store: Pick<Store, 'blobs' | 'source_access'>,
  source: Pick<sourceRows.SourceRow, 'location' | 'state' | 'tenant_id'>,
  { dataset_path, paths }: FilesOfDataset,
  work: (root: string) => Promise<T>,
): Promise<T> {
  const folder = dataset_path === '.' ? '' : dataset_path;
  const opened = await openRecordings(await recordingsOf(store, source));
  if (typeof opened === 'string') return work(join(await folderOf(opened), folder));
  try {
    const held = await opened.hold(paths.map((path) => (folder === '' ? path : `${folder}/${path}`)));
    try {
      return await work(join(opened.root, folder));
    } finally {
      await held.release();
    }
  } finally {
    await closeRecordings(opened);
  }
}

/** The paths of a lone file start from its folder. */
async function folderOf(path: string): Promise<string> {
  const isFile = await stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
  return isFile ? dirname(path) : path;
}
