import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SourceTree } from '../source-tree.ts';
import { fileStamp } from './file-stamp.ts';

/**
 * A digest of the stamps of all files of a tree and of their names; null where one may have been changed since
 * `before_ms`, or where they do not lie on this machine. See `fileStamp`.
 */
export function treeStamp(
  tree: Pick<SourceTree, 'root' | 'files' | 'store'>,
  before_ms: number,
): string | null {
  if (tree.store !== null) return null;
  const digest = createHash('sha256');
  for (const { path } of tree.files) {
    const stamp = fileStamp(join(tree.root, path), before_ms);
    if (stamp === null) return null;
    digest.update(`${path}\0${stamp}\n`);
  }
  return digest.digest('hex');
}
