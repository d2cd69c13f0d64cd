import type { DataArguments } from '#cli';
import { type Database, lockFolder, migrate, openEmbedded, openServer, type Store } from '#store';
import { type Config, readConfig } from './config.ts';

/** A data folder held by this process, and its database brought up to date. */
export interface Installation extends Store {
  readonly config: Config;
  close(): Promise<void>;
}

/** Takes the data folder's lock, opens database, blobs and queue. Throws `folder_locked`, `database_unavailable`. */
export async function openInstallation(config: Config): Promise<Installation> {
  const lock = lockFolder(config.data_folder);
  let database: Database | null = null;
  try {
    database =
      config.database_url === null ? await openEmbedded(config.data_folder) : openServer(config.database_url);
    await migrate(database);
    return assemble(config, database, lock);
  } catch (thrown) {
    await database?.close().catch(() => {});
    lock.release();
    throw thrown;
  }
}

function assemble(config: Config, database: Database, lock: { release(): void }): Installation {
  return {
    config,
    database,
    blobs: undefined as never,
    queue: undefined as never,
    data_folder: config.data_folder,
    close: async () => {
      await database.close();
      lock.release();
    },
  };
}

/** The store of a data folder, for a command that does one thing with it. */
export async function openForCommand(args: DataArguments): Promise<Installation> {
  return openInstallation(readConfig(process.env, args.data === undefined ? {} : { data: args.data }));
}
