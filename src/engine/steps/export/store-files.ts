import { join } from 'node:path';
import type { StepContext } from '../messages.ts';
import type { HashedFile } from './lineage.ts';

/** Returns the blob key of an exported file. */
export const exportFileKey = (prefix: string, path: string): string => `${prefix}/files/${path}`;
/** Returns the blob key of the list of an export's files. */
export const exportIndexKey = (prefix: string): string => `${prefix}/index.json`;

/** Progress is reported at this interval, since uploading a large file takes minutes. */
const heartbeat_ms = 1000;

/** Uploads an export's files from `folder` to the blob store below `prefix`, then their list, sorted by path. */
export async function storeFiles(
  folder: string,
  prefix: string,
  files: readonly HashedFile[],
  { blobs, signal, retry, progress }: StepContext,
): Promise<void> {
  const alive = setInterval(() => progress(0, 0), heartbeat_ms);
  try {
    for (const { path } of files) {
      signal.throwIfAborted();
      await retry(() => blobs.putFile(exportFileKey(prefix, path), join(folder, path)));
    }
    const index = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
    await retry(() => blobs.put(exportIndexKey(prefix), Buffer.from(JSON.stringify(index))));
  } finally {
    clearInterval(alive);
  }
}
