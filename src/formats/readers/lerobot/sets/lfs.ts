import type { SourceTree } from '#sources';
import { lerobotBreach } from '../../../contracts/lerobot/contract.ts';
import { enumerate, type Notes } from './notes.ts';

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
    const head = new TextDecoder().decode(await tree.head(file.path, 24).catch(() => new Uint8Array()));
    if (head.startsWith('version https://git-lfs')) found.add(file.path);
  }
  if (found.size > 0) {
    notes.put(
      lerobotBreach(
        layout,
        'lfs_pointers',
        null,
        `${found.size} files are Git LFS pointers, not the files themselves: ${enumerate([...found], 4)}`,
        { pointers: [...found].slice(0, 1000) },
      ),
    );
  }
  return found;
}
