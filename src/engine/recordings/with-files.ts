import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError } from '#core';
import type { RecordingsRef } from '#io/sources';
import { closeRecordings, openRecordings } from './open-recordings.ts';

export interface FilesOfDataset {
  /** Folder of the dataset relative to its source; '' or '.' for the source itself. */
  readonly dataset_path: string;
  readonly files: readonly WantedFile[];
}

interface WantedFile {
  /** Relative to the dataset. */
  readonly path: string;
  /** Its size when it was judged; absent: not known. */
  readonly bytes?: number | undefined;
}

/**
 * Runs `work` while files of a source can be opened by name: below `root`, the folder that a dataset's paths start
 * from. Files in a bucket are fetched for that. Throws `not_found` for a file that is not there, `conflict` for one that
 * is no longer of the size that was judged.
 */
export async function withFiles<T>(
  recordings: RecordingsRef,
  { dataset_path, files }: FilesOfDataset,
  work: (root: string) => Promise<T>,
): Promise<T> {
  const folder = dataset_path === '.' ? '' : dataset_path;
  const opened = await openRecordings(recordings);
  if (typeof opened === 'string') return workIn(join(await folderOf(opened), folder), files, work);
  try {
    const held = await opened.hold(files.map(({ path }) => (folder === '' ? path : `${folder}/${path}`)));
    try {
      return await workIn(join(opened.root, folder), files, work);
    } finally {
      await held.release();
    }
  } finally {
    await closeRecordings(opened);
  }
}

async function workIn<T>(
  root: string,
  files: readonly WantedFile[],
  work: (root: string) => Promise<T>,
): Promise<T> {
  for (const { path, bytes } of files) await demandSize(join(root, path), path, bytes);
  return work(root);
}

async function demandSize(file: string, path: string, bytes: number | undefined): Promise<void> {
  const info = await stat(file).catch(() => null);
  if (info === null) throw goneRecording(`the file ${path} is not in the source any more`);
  if (bytes === undefined || info.size === bytes) return;
  throw new AssayError('conflict', `${path} is ${info.size} bytes, it was ${bytes} when it was judged`, {
    advice: 'start a run of the source, so that what is shown is what was judged',
  });
}

export const goneRecording = (message: string): AssayError =>
  new AssayError('not_found', message, { advice: 'bring the recordings back to where they were' });

/** The paths of a lone file start from its folder. */
async function folderOf(path: string): Promise<string> {
  const info = await stat(path).catch(() => null);
  return info?.isFile() === true ? dirname(path) : path;
}
