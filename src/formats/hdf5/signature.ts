import type { SourceTree } from '../bytes/source-tree.ts';

/** The first eight bytes of HDF5, at 0 or behind a user block at 512, 1024, 2048, … */
export const signature = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);

export function startsAsHdf5(head: Uint8Array): boolean {
  return head.length >= signature.length && signature.every((byte, i) => head[i] === byte);
}

/** Looks for the signature at 0 and behind user blocks of usual size; cheap. */
export async function isHdf5(tree: SourceTree, path: string): Promise<boolean> {
  const size = tree.entry(path)?.bytes ?? 0;
  if (size < signature.length) return false;
  if (startsAsHdf5(await tree.head(path, signature.length))) return true;
  const furthest = 4096;
  if (size < 512 + signature.length) return false;
  const head = await tree.head(path, Math.min(size, furthest + signature.length));
  return [512, 1024, 2048, furthest].some((at) => startsAsHdf5(head.subarray(at)));
}
