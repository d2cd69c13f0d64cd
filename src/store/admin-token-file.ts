import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, messageOf } from '#core';

/** Returns the path of the file with the admin token. */
export const adminTokenFile = (data_folder: string): string => join(data_folder, 'admin-token');

/**
 * Writes the admin token to a file that only the owner of the folder can read. The file is written completely or not at
 * all, and synced to disk when this returns. Throws `output_unwritable`.
 */
export function writeAdminToken(data_folder: string, token: string): void {
  const file = adminTokenFile(data_folder);
  const half = `${file}.new`;
  try {
    // Left over from a start that was killed here; only a new file gets the requested mode.
    rmSync(half, { force: true });
    withFile(half, 'wx', 0o600, (fd) => {
      writeSync(fd, `${token}\n`);
      fsyncSync(fd);
    });
    renameSync(half, file);
    // Syncs the folder so that the name survives a power failure. Windows has no such call for folders.
    if (process.platform !== 'win32') withFile(data_folder, 'r', 0, fsyncSync);
  } catch (thrown) {
    throw new AssayError('output_unwritable', `cannot write the admin token: ${messageOf(thrown)}`, {
      path: file,
      advice: 'choose a writable data folder on a disk with free space',
      cause: thrown,
    });
  }
}

/** Returns the admin token without the line end; null if the file cannot be read. */
export function readAdminToken(data_folder: string): string | null {
  try {
    return readFileSync(adminTokenFile(data_folder), 'utf8').trim();
  } catch {
    return null;
  }
}

function withFile(path: string, flags: string, mode: number, work: (fd: number) => void): void {
  const fd = openSync(path, flags, mode);
  try {
    work(fd);
  } finally {
    closeSync(fd);
  }
}
