import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '#store';

/** Bytes of files on their way lie here, under the files' ids. */
export const stagingFolder = ({ data_folder }: Pick<Store, 'data_folder'>): string =>
  join(data_folder, 'uploads');

/** Makes the file that bytes are written to; `fresh`: without what an earlier one of that id may have left. */
export async function stageUploadFile(
  store: Pick<Store, 'data_folder'>,
  id: string,
  { fresh }: { readonly fresh: boolean },
): Promise<void> {
  const folder = stagingFolder(store);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await (await open(join(folder, id), fresh ? 'w' : 'a', 0o600)).close();
}

/** Removes what was received of files that are not wanted any more. */
export async function removeStaged(
  store: Pick<Store, 'data_folder'>,
  upload_ids: readonly string[],
): Promise<void> {
  for (const id of upload_ids) await rm(join(stagingFolder(store), id), { force: true });
}
