/**
 * A reader of HDF5 files in plain TypeScript over byte ranges: no native code meets hostile bytes, memory follows what
 * is asked for, and it works on S3 as on disk.
 *
 *     const file = await openHdf5(tree, 'episode_0.hdf5');
 *     try {
 *       const actions = await file.root.dataset('/action');      // null: not there
 *       const some = await actions?.readNumbers(100, 200);       // rows 100 to 199 as Float32Array, Int64 as BigInt…
 *       const rate = await file.root.attributes.number('fps');   // null: not there
 *       for (const [name, link] of await file.root.links()) …    // hard, soft, external (never followed)
 *     } finally {
 *       await file.close();
 *     }
 *
 * Read: superblocks 0 to 3 with or without a user block; groups, links and attributes old and new, compact and dense;
 * integers and floats of 1 to 8 bytes in both byte orders (float16 too), booleans, enumerations, fixed and variable
 * texts, sequences, arrays; compact, contiguous and chunked data with every chunk index; deflate, shuffle, fletcher32
 * (checked) and LZF. Not read, and said so by name: other filters, virtual and external data, references, members of
 * compounds (their bytes are).
 *
 * Everything that the file says is bounded (`limits.ts`). What is damaged or not read throws an `AssayError`:
 * `unreadable_input` (damage, with the byte or the object), `unsupported_version` (a part of HDF5 that is not read),
 * `limit_exceeded`. `file.findings` says what opening met: a file that was cut off or not closed.
 *
 * Pictures: read `max(1, chunkRows)` rows at once and no chunk is unpacked twice; `rowBytes` says what a row takes.
 */
import type { Finding } from '#episode';
import type { SourceTree } from '../bytes/source-tree.ts';
import { FileBytes } from './file-bytes.ts';
import { GlobalHeap } from './global-heap.ts';
import { Hdf5Group } from './group.ts';
import { readObjectHeader } from './object-header.ts';
import { readSuperblock } from './superblock.ts';

export type { AttributeSet } from './attribute-set.ts';
export { Hdf5Dataset } from './dataset.ts';
export { orNull } from './faults.ts';
export { Hdf5Group } from './group.ts';
export { toFloats } from './numbers.ts';
export { type Met, walkDatasets } from './walk-datasets.ts';

/** An open file. Whoever opened it closes it. */
export interface Hdf5File {
  /** Relative to the tree it was opened in. */
  readonly path: string;
  readonly root: Hdf5Group;
  /** Of the superblock: 0 to 3. */
  readonly version: number;
  /** `file_truncated`, `file_not_closed`: what is there can be read all the same. */
  readonly findings: readonly Finding[];
  close(): Promise<void>;
}

/** Opens a file of a tree; throws what keeps it from being read at all. */
export async function openHdf5(tree: SourceTree, path: string): Promise<Hdf5File> {
  const bytes = new FileBytes(await tree.openFile(path), path, tree.entry(path)?.bytes ?? 0);
  try {
    const { version, root, findings } = await readSuperblock(bytes);
    const parts = { bytes, heap: new GlobalHeap(bytes) };
    const group = new Hdf5Group(parts, '/', await readObjectHeader(bytes, root), null);
    return { path, root: group, version, findings, close: () => bytes.close() };
  } catch (thrown) {
    await bytes.close();
    throw thrown;
  }
}
