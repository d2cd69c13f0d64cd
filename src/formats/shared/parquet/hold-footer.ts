import type { HeldFiles, SourceTree } from '#io/sources';

/** Behind the footer: its length and `PAR1`. */
const trailerBytes = 8;
const smallest = 2 * trailerBytes;

/**
 * A Parquet file of which the footer can be read by name: columns, counts, statistics and key-value metadata, no rows.
 * Of a file in a store only the footer is fetched.
 */
export async function holdFooter(tree: SourceTree, path: string): Promise<HeldFiles> {
  const bytes = tree.entry(path)?.bytes ?? 0;
  if (tree.store === null || bytes < smallest) return tree.hold([path]);
  const trailer = new Uint8Array(trailerBytes);
  await using file = await tree.openFile(path);
  await file.read(trailer, 0, trailerBytes, bytes - trailerBytes);
  const footer = new DataView(trailer.buffer).getUint32(0, true);
  return tree.holdEnd(path, Math.min(bytes, footer + trailerBytes));
}
