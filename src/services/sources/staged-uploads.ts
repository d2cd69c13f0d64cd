import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '#store';

/** Files on their way lie here, each with a `.json` of what its sender said beside it. */
export const stagingFolder = ({ data_folder }: Pick<Store, 'data_folder'>): string =>
  join(data_folder, 'uploads');

/** Removes what was received of files that are not wanted any more. */
export async function removeStaged(
  store: Pick<Store, 'data_folder'>,
  upload_ids: readonly string[],
): Promise<void> {
  for (const id of upload_ids) {
    const path = join(stagingFolder(store), id);
    await rm(path, { force: true });
    await rm(`${path}.json`, { force: true });
  }
}
