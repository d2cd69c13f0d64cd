import { createHash } from 'node:crypto';
import type { SourceTree } from '../source-tree.ts';

/** SHA-256 of a tree's files, each read once however often it is asked for. */
export interface FileHasher {
  /** Lower-case hexadecimal; null when the file is absent or cannot be read. */
  sha256(path: string): Promise<string | null>;
}

/** For who does not need them: nothing is read. */
export const noHashes: FileHasher = { sha256: async () => null };

const blockBytes = 1024 * 1024;

export function createFileHasher(tree: SourceTree): FileHasher {
  const known = new Map<string, Promise<string | null>>();
  return {
    sha256: (path) => {
      let hash = known.get(path);
      if (hash === undefined) {
        hash = tree.has(path) ? hashOf(tree, path).catch(() => null) : Promise.resolve(null);
        known.set(path, hash);
      }
      return hash;
    },
  };
}

function hashOf(tree: SourceTree, path: string): Promise<string> {
  return tree.store === null ? hashFile(tree, path) : tree.store.sha256(tree.base + path);
}

/** Reads the next block while this one is hashed. */
async function hashFile(tree: SourceTree, path: string): Promise<string> {
  await using file = await tree.openFile(path);
  const digest = createHash('sha256');
  const size = Math.min(blockBytes, Math.max(tree.entry(path)?.bytes ?? blockBytes, 4096));
  let current = Buffer.allocUnsafe(size);
  let ahead = Buffer.allocUnsafe(size);
  let position = 0;
  let pending = file.read(current, 0, size, position);
  for (;;) {
    const { bytesRead } = await pending;
    if (bytesRead === 0) return digest.digest('hex');
    position += bytesRead;
    pending = file.read(ahead, 0, size, position);
    digest.update(current.subarray(0, bytesRead));
    [current, ahead] = [ahead, current];
  }
}
