import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AssayError } from '#core';
import type { Store } from '../store.ts';

/** Bytes of files on their way lie here, under the files' ids. */
export const stagingFolder = ({ data_folder }: Pick<Store, 'data_folder'>): string =>
  join(data_folder, 'uploads');

/** Makes the file that bytes are written to; `fresh`: without what an earlier one of that id may have left. */
export async function stageUploadFile(
  store: Staging,
  id: string,
  { fresh }: { readonly fresh: boolean },
): Promise<void> {
  const folder = stagingFolder(store);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await (await open(join(folder, id), fresh ? 'w' : 'a', 0o600)).close();
}

/** Removes what was received of files that are not wanted any more. */
export async function removeStaged(store: Staging, upload_ids: readonly string[]): Promise<void> {
  for (const id of upload_ids) await rm(join(stagingFolder(store), id), { force: true });
}

type Staging = Pick<Store, 'data_folder'>;

/** Where the bytes of a file lie while they come. */
export const stagedPath = (store: Staging, id: string): string => join(stagingFolder(store), id);

/** Bytes of a file that came so far; 0 where nothing did. */
export async function stagedBytes(store: Staging, id: string): Promise<number> {
  return (await stat(stagedPath(store, id)).catch(() => null))?.size ?? 0;
}

/** SHA-256 of what came of a file. Throws `storage_unavailable`. */
export async function hashStaged(store: Staging, id: string): Promise<string> {
  const digest = createHash('sha256');
  const bytes = createReadStream(stagedPath(store, id), { highWaterMark: 1024 * 1024 });
  await pipeline(bytes, digest).catch((thrown) => {
    throw new AssayError('storage_unavailable', 'the received bytes cannot be read', { cause: thrown });
  });
  return digest.digest('hex');
}

/** Ids of files of which nothing has come since. */
export async function stagedBefore(store: Staging, time: Date): Promise<string[]> {
  const folder = stagingFolder(store);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const old: string[] = [];
  for (const name of await readdir(folder)) {
    const info = await stat(join(folder, name)).catch(() => null);
    if (info !== null && info.mtimeMs < time.getTime()) old.push(name);
  }
  return old;
}
