import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AssayError } from '#core';
import type { Store } from './store.ts';

/** Returns the folder for the bytes of running uploads, named by upload file id. */
export const stagingFolder = ({ data_folder }: Pick<Store, 'data_folder'>): string =>
  join(data_folder, 'uploads');

/** Creates the empty file for the bytes of an upload; an existing one is truncated if `fresh`, else kept. */
export async function stageUploadFile(
  store: StagingStore,
  id: string,
  { fresh }: { readonly fresh: boolean },
): Promise<void> {
  const folder = stagingFolder(store);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await (await open(join(folder, id), fresh ? 'w' : 'a', 0o600)).close();
}

/** Deletes the received bytes of uploads; missing files are ignored. */
export async function removeStaged(store: StagingStore, upload_ids: readonly string[]): Promise<void> {
  for (const id of upload_ids) await rm(join(stagingFolder(store), id), { force: true });
}

type StagingStore = Pick<Store, 'data_folder'>;

/** Returns the path of the received bytes of an upload. */
export const stagedPath = (store: StagingStore, id: string): string => join(stagingFolder(store), id);

/** Returns the number of bytes received so far; 0 if there is no file. */
export async function stagedBytes(store: StagingStore, id: string): Promise<number> {
  return (await stat(stagedPath(store, id)).catch(() => null))?.size ?? 0;
}

/** Returns the SHA-256 of the received bytes in hexadecimal. Throws `storage_unavailable`. */
export async function hashStaged(store: StagingStore, id: string): Promise<string> {
  const digest = createHash('sha256');
  const bytes = createReadStream(stagedPath(store, id), { highWaterMark: 1024 * 1024 });
  await pipeline(bytes, digest).catch((thrown) => {
    throw new AssayError('storage_unavailable', 'cannot read the received data', { cause: thrown });
  });
  return digest.digest('hex');
}

/** Returns the ids of uploads that received no bytes since `time`. */
export async function listStagedBefore(store: StagingStore, time: Date): Promise<string[]> {
  const folder = stagingFolder(store);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const old: string[] = [];
  for (const name of await readdir(folder)) {
    const info = await stat(join(folder, name)).catch(() => null);
    if (info !== null && info.mtimeMs < time.getTime()) old.push(name);
  }
  return old;
}
