import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '#core/episode';
import { exists } from '../../shared/fix/journal/files.ts';
import { type BagDatabase, openDatabase as openBagDatabase } from '../bag-database.ts';

/** What SQLite keeps beside a database that is being written to. */
export const companionSuffixes = ['-wal', '-journal', '-shm'] as const;

/** Opens a database with its write-ahead log or journal, as SQLite would, and closes all of it after `use`. */
export async function withDatabase<T>(
  root: string,
  path: string,
  use: (database: BagDatabase) => Promise<T>,
): Promise<T> {
  const opened: FileHandle[] = [];
  const sized = async (name: string) => {
    const file = await open(join(root, name), 'r');
    opened.push(file);
    return { file, bytes: (await file.stat()).size };
  };
  const beside = async (suffix: string) =>
    (await exists(join(root, `${path}${suffix}`))) ? sized(`${path}${suffix}`) : null;
  try {
    const [wal, journal] = [await beside('-wal'), await beside('-journal')];
    return await use(await openBagDatabase({ path, main: await sized(path), wal, journal }));
  } finally {
    for (const file of opened) await file.close();
  }
}

/** What keeps SQLite itself from reading all of a database. */
export function damageOf({ problems }: BagDatabase): readonly Finding[] {
  return problems.all().filter(({ severity }) => severity === 'error');
}
