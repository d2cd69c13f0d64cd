import { join } from 'node:path';
import { folderFault } from '#core';
import { clearCache, clearStaging } from '#io/sources/s3';
import { stagingFolder } from './blob-key.ts';
import type { BlobPatience, Blobs, BlobsOptions } from './blobs.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { fetchedFolder, S3Blobs } from './s3-blobs.ts';

/** Opens a blob store; nothing is asked of it yet, `probe` does that. */
export function openBlobs(options: BlobsOptions, patience: BlobPatience = {}): Blobs {
  return options.kind === 'folder' ? new FolderBlobs(options.folder) : new S3Blobs(options, patience);
}

/**
 * Removes what writers that were killed left half written. Once at the start of a process, before it writes: other
 * processes on the same folder may be writing.
 */
export function clearHalfWritten(options: BlobsOptions): void {
  if (options.kind === 's3') {
    clearCache(fetchedFolder(options));
    return;
  }
  const folder = join(options.folder, stagingFolder);
  try {
    clearStaging(folder);
  } catch (thrown) {
    throw folderFault(thrown, folder);
  }
}
