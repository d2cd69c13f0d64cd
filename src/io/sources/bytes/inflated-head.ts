import { AssayError } from '#core';
import type { SourceTree } from '../source-tree.ts';
import { openByteSource } from './byte-source.ts';

/** The first bytes of what is in a zstd file, at most `length`; as far as they come where it is damaged. */
export async function inflatedHead(tree: SourceTree, path: string, length: number): Promise<Uint8Array> {
  const head = new Uint8Array(length);
  const source = await openByteSource(tree, path, { compressed: true });
  let filled = 0;
  try {
    while (filled < length) {
      const count = await source.read(head.subarray(filled));
      if (count === 0) break;
      filled += count;
    }
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
  } finally {
    await source.close();
  }
  return head.subarray(0, filled);
}
