import { join } from 'node:path';
import type { StepContext } from '../step-context.ts';
import type { HashedFile } from './lineage.ts';

/** Under an export's prefix: its files, each under its own path, and one blob that lists them. */
export const exportFileKey = (prefix: string, path: string): string => `${prefix}/files/${path}`;
export const exportIndexKey = (prefix: string): string => `${prefix}/index.json`;

/** A large file goes over the network for minutes without a word. */
const alive_ms = 1000;

/** Moves an export's files from `folder` into the blob store, and lists them there. */
export async function storeFiles(
  folder: string,
  prefix: string,
  files: readonly HashedFile[],
  { blobs, signal, patiently, progress }: StepContext,
): Promise<void> {
  const alive = setInterval(() => progress(0, 0), alive_ms);
  try {
    for (const { path } of files) {
      signal.throwIfAborted();
      await patiently(() => blobs.putFile(exportFileKey(prefix, path), join(folder, path)));
    }
    const index = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
    await patiently(() => blobs.put(exportIndexKey(prefix), Buffer.from(JSON.stringify(index))));
  } finally {
    clearInterval(alive);
  }
}
