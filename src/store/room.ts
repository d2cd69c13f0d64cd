import { statfs } from 'node:fs/promises';
import { AssayError, folderFault, limits } from '#core';

/** Work that has begun needs about as much; the embedded database makes files of 16 MiB. */
const least_bytes = limits.storage.disk_left_bytes.value;

/** Throws `storage_unavailable` where the disk under a folder is full, or so nearly that work on it will stop. */
export async function demandRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder).catch((thrown) => {
    throw folderFault(thrown, folder);
  });
  if (bavail * bsize >= least_bytes) return;
  const left_mib = Math.floor((bavail * bsize) / 1024 ** 2);
  throw new AssayError('storage_unavailable', `the disk is full: ${left_mib} MiB are left`, {
    path: folder,
    advice: 'make room; what waits for it goes on then, and nothing stored before is harmed',
  });
}
