import { isLfsPointer, lfsPointerHead_bytes } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { lerobotBreach } from '../rules/contract.ts';
import type { Notes } from './notes.ts';

const pointerBytes = 1024;

/** Files in whose place a Git LFS pointer stands; only small files are looked into. */
export async function lfsPointers(
  tree: SourceTree,
  layout: 'v2' | 'v3',
  notes: Notes,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const file of tree.files) {
    if (file.bytes === 0 || file.bytes > pointerBytes || !/\.(parquet|mp4|mkv|png|jpe?g)$/i.test(file.path))
      continue;
    const head = await tree.head(file.path, lfsPointerHead_bytes).catch(() => new Uint8Array());
    if (isLfsPointer(head)) found.add(file.path);
  }
  if (found.size > 0)
    notes.put({ ...lfsBreach(layout, found), evidence: { pointers: [...found].slice(0, 1000) } });
  return found;
}

/** Said once for the whole set, also where episodes cannot be read for it. */
export function lfsBreach(layout: 'v2' | 'v3', found: ReadonlySet<string>): Finding {
  const [what, themselves] =
    found.size === 1
      ? ['1 file is a Git LFS pointer', 'the file itself']
      : [`${found.size} files are Git LFS pointers`, 'the files themselves'];
  const named = [...found.values().take(4)].join(', ');
  const more = found.size > 4 ? ` and ${found.size - 4} more` : '';
  return lerobotBreach(layout, 'lfs_pointers', null, `${what}, not ${themselves}: ${named}${more}`);
}
