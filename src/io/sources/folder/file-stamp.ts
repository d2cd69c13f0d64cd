import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceTree } from '../source-tree.ts';

/** Resolution of file times in ms on common file systems: two changes within it may carry the same time. */
const fineTick_ms = 50;
/** Resolution in ms on file systems with whole seconds; FAT has two seconds. */
const coarseTick_ms = 2100;

/**
 * Returns a string of size, inode, mtime and ctime that changes whenever the file is written; `null` if the file is
 * missing or may have been changed since `before_ms` (a `Date.now()` value). In the latter case it is unknown which
 * content was read after that time. Programs cannot set the ctime.
 */
export function fileStamp(path: string, before_ms: number): string | null {
  let stats: BigIntStats;
  try {
    stats = statSync(path, { bigint: true });
  } catch {
    return null;
  }
  const { size, ino, mtimeNs, ctimeNs } = stats;
  const tick_ms = ctimeNs % 1_000_000_000n === 0n ? coarseTick_ms : fineTick_ms;
  if (Number(ctimeNs / 1_000_000n) > before_ms - tick_ms) return null;
  return `${size} ${ino} ${mtimeNs} ${ctimeNs}`;
}

/**
 * Returns a hash of the names and `fileStamp`s of all files of a tree; `null` if a file may have been changed since
 * `before_ms`, or if the tree is in remote storage.
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
