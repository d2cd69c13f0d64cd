import { type FileHandle, open } from 'node:fs/promises';

/** Writes a new file that survives a loss of power once this returns. */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(bytes);
  await file.sync();
}

/** Copies an open file to a new one, synced: for files that lie on another disk. */
export async function copyInto(path: string, from: FileHandle): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  const block = Buffer.allocUnsafe(1024 * 1024);
  for (let at = 0; ; ) {
    const { bytesRead } = await from.read(block, 0, block.length, at);
    if (bytesRead === 0) break;
    await file.writeFile(block.subarray(0, bytesRead));
    at += bytesRead;
  }
  await file.sync();
}

/** Makes the names in a folder last. Windows syncs them itself and opens no folders. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync();
}
