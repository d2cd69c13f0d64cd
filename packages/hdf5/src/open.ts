import type { Hdf5Error, ToError } from './errors.ts';
import { FileBytes } from './file-bytes.ts';
import type { ByteRanges } from './source.ts';
import { GlobalHeap } from './structure/global-heap.ts';
import { Hdf5Group } from './structure/group.ts';
import { readObjectHeader } from './structure/object-header.ts';
import { type Hdf5Finding, readSuperblock } from './structure/superblock.ts';

/** An open file. Whoever opened it closes it. */
export interface Hdf5File {
  /** As it was named when it was opened. */
  readonly path: string;
  readonly root: Hdf5Group;
  /** Of the superblock: 0 to 3. */
  readonly version: number;
  /** `file_truncated`, `file_not_closed`: what is there can be read all the same. */
  readonly findings: readonly Hdf5Finding[];
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Size of the whole file in bytes. */
  readonly bytes: number;
  /** What messages call the file. */
  readonly path?: string;
  /** Makes the errors that are thrown; without it they are `Hdf5Error`. */
  readonly toError?: ToError;
}

/**
 * Opens a file and owns its source from then on: `close` closes it, and so does a failure to open. Throws what keeps it
 * from being read at all.
 */
export async function openHdf5(source: ByteRanges, options: OpenOptions): Promise<Hdf5File> {
  const { bytes: size, path = 'the file', toError = asItIs } = options;
  const bytes = new FileBytes(source, { path, toError }, size);
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

const asItIs = (error: Hdf5Error): Error => error;
