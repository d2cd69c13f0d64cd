import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, messageOf } from '#core';

export const adminTokenFile = (data_folder: string): string => join(data_folder, 'admin-token');

/**
 * Writes the token where only the folder's owner reads it: whole or not at all, and on the disk when this returns.
 * Throws `output_unwritable`.
 */
export function writeAdminToken(data_folder: string, token: string): void {
  const file = adminTokenFile(data_folder);
  const half = `${file}.new`;
  try {
    // Left by a start that was killed here; a new file gets the mode asked for.
    rmSync(half, { force: true });
    withFile(half, 'wx', 0o600, (fd) => {
      writeSync(fd, `${token}\n`);
      fsyncSync(fd);
    });
    renameSync(half, file);
    // The name, too, must survive a power cut. Windows has no such call for folders.
    if (process.platform !== 'win32') withFile(data_folder, 'r', 0, fsyncSync);
  } catch (thrown) {
    throw new AssayError('output_unwritable', `the admin token could not be kept: ${messageOf(thrown)}`, {
      path: file,
      advice: 'choose a data folder that you may write to, on a disk with room',
      cause: thrown,
    });
  }
}

/** The token in the file; null where there is none. */
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
