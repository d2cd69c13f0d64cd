import { join } from 'node:path';
import { blobFolderError } from '#core';
import { clearCache, clearStaging } from '#io/sources/s3';
import { type Blobs, type BlobsOptions, type BlobTimeouts, stagingFolder } from './blobs.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { blobCacheFolder, S3Blobs } from './s3-blobs.ts';

/** Opens a blob store without contacting it; `probe` does that. */
export function openBlobs(options: BlobsOptions, patience: BlobTimeouts = {}): Blobs {
  return options.kind === 'folder' ? new FolderBlobs(options.folder) : new S3Blobs(options, patience);
}

/**
 * Deletes partially written blobs of killed processes (with S3 the local copies that they left). Called once at the start of a
 * process, before it writes; other processes on the same folder may be writing.
 */
export function clearPartialBlobs(options: BlobsOptions): void {
  if (options.kind === 's3') {
    clearCache(blobCacheFolder(options));
    return;
  }
  const folder = join(options.folder, stagingFolder);
  try {
    clearStaging(folder);
  } catch (thrown) {
    throw blobFolderError(thrown, folder);
  }
}

/** Input of `sweepOrphans`. */
export interface OrphanSweep {
  readonly prefix: string;
  /** Blobs written later are ignored, because the row that refers to them may not be committed yet. */
  readonly written_before: Date;
  /** Returns those of the keys that a database row refers to. */
  findReferenced(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

const sweepBatchSize = 500;

/**
 * Deletes blobs below a prefix that no database row refers to and that are old enough, as processes leave them that are killed
 * between writing a blob and committing, and returns their number.
 */
export async function sweepOrphans(blobs: Blobs, sweep: OrphanSweep): Promise<number> {
  let removed = 0;
  let pendingKeys: string[] = [];
  const sweepPending = async (): Promise<void> => {
    const referenced = await sweep.findReferenced(pendingKeys);
    const orphans = pendingKeys.filter((key) => !referenced.has(key));
    if (orphans.length > 0) await blobs.delete(orphans);
    removed += orphans.length;
    pendingKeys = [];
  };
  for await (const { key, written_at } of blobs.list(sweep.prefix)) {
    if (written_at >= sweep.written_before) continue;
    pendingKeys.push(key);
    if (pendingKeys.length === sweepBatchSize) await sweepPending();
  }
  if (pendingKeys.length > 0) await sweepPending();
  return removed;
}
