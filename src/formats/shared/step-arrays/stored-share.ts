import type { Hdf5Dataset } from '@assay/hdf5';
import { AssayError } from '#core';

/** Deflate packs a thousand to one at most: what takes less in the file was never written, or is made to cost time. */
const mostPacked = 1100;
const worthALook = 64 * 1024 * 1024;

/** Throws for a large array of which next to nothing is stored, before memory and time are spent on its fill value. */
export async function checkStored(dataset: Hdf5Dataset, path: string): Promise<void> {
  const said = dataset.rows * dataset.rowBytes;
  if (said < worthALook || dataset.type.kind === 'sequence') return;
  const stored = await dataset.storedBytes();
  if (said <= stored * mostPacked) return;
  throw new AssayError('unreadable_input', `it says it holds ${said} bytes, and ${stored} bytes are stored`, {
    ...{ path, place: dataset.path },
    advice: 'record the episode again: the array was not written',
  });
}
