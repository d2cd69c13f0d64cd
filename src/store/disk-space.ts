import { statfs } from 'node:fs/promises';
import { AssayError, blobFolderError, limits } from '#core';

/** Minimum free space in bytes: running work needs about as much; the embedded database creates files of 16 MiB. */
const minFree_bytes = limits.storage.disk_left_bytes.value;

/** Throws `storage_unavailable` if the disk of a folder has less free space than the minimum. */
export async function requireDiskSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder).catch((thrown) => {
    throw blobFolderError(thrown, folder);
  });
  if (bavail * bsize >= minFree_bytes) return;
  const left_mib = Math.floor((bavail * bsize) / 1024 ** 2);
  throw new AssayError('storage_unavailable', `the disk is full: ${left_mib} MiB free`, {
    path: folder,
    advice: 'free some space; waiting work then continues, and existing data is intact',
  });
}
