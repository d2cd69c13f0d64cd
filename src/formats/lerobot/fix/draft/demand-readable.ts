import { join } from 'node:path';
import { AssayError, enumerate, lfsPointerWords } from '#core';
import { mayRead } from '#io/sources';
import { lfsPointerAt } from '../lfs-pointer-at.ts';

const tables = /\.(parquet|jsonl?)$/i;

/**
 * Refuses a set of which something may not be read, or whose tables are pointers of Git LFS: it would look missing or
 * damaged, and mending would go by that. Throws `not_permitted`, `unreadable_input`.
 */
export function demandReadable(root: string, paths: readonly string[]): void {
  const ours = paths.filter((path) => /^(data|meta|videos|images)\//.test(path));
  const closed = ours.filter((path) => !mayRead(join(root, path)));
  if (closed.length > 0)
    throw new AssayError('not_permitted', `${enumerate(closed, 4)} may not be read by this user`, {
      path: closed[0],
      advice: 'ask for permission to read (chmod -R a+rX), then fix the set',
    });
  const pointers = ours.filter((path) => tables.test(path) && isPointer(join(root, path)));
  if (pointers.length === 0) return;
  const what =
    pointers.length === 1 ? '1 table is a Git LFS pointer' : `${pointers.length} tables are Git LFS pointers`;
  throw new AssayError('unreadable_input', `${what}: ${enumerate(pointers, 4)}`, {
    path: pointers[0],
    advice: `${lfsPointerWords.advice}, then fix the set`,
  });
}

/** A link to nothing is none. */
function isPointer(path: string): boolean {
  try {
    return lfsPointerAt(path);
  } catch {
    return false;
  }
}
