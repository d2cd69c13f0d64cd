import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openBlobs, openEmbedded, openServer, type Store } from '#store';
import { haveServers } from './servers.ts';
import { databaseAt, onServer } from './shared-postgres.ts';
import { sharedResource } from './shared-resources.ts';
import { copyEmptyDatabase } from './store-template.ts';
import { isNightly } from './tiers.ts';
import { timedStart } from './timings.ts';

const serverUrl = process.env.ASSAY_TEST_POSTGRES_URL;

const haveDatabaseServer = serverUrl !== undefined || haveServers;

/**
 * Kinds of database that tests can use here: embedded, and server if ASSAY_TEST_POSTGRES_URL names one or one can be started.
 * For tests of the store, the queue, migrations and creating tenants, whose SQL must hold on both.
 */
export const availableDatabases: readonly Database['kind'][] = haveDatabaseServer
  ? ['embedded', 'server']
  : ['embedded'];

/** The database of tests that do not care: the server where there is one, for it is the quicker. */
export const defaultDatabase: Database['kind'] = haveDatabaseServer ? 'server' : 'embedded';

/** For tests of services, HTTP, the copilot and the work engine: one database before a commit and in CI, both at night. */
export const serviceDatabases: readonly Database['kind'][] = isNightly
  ? availableDatabases
  : [defaultDatabase];

export interface TestStoreOptions {
  /** Absent: `defaultDatabase`. */
  readonly on?: Database['kind'];
  /** Parent of the store's folder. Defaults to the folder for temporary files. */
  readonly within?: string;
  /** An existing database to use; `close()` does not drop it. */
  readonly url?: string;
  /** Create the database from scratch instead of copying one, for tests of its creation. */
  readonly bare?: boolean;
  /** Absent: blobs in the store's folder. */
  readonly blobs?: (folder: string) => Store['blobs'];
  /** Made over the open database; a test that needs none leaves it out. */
  readonly queue?: (database: Database) => Promise<Store['queue']>;
  /** From where recordings may be read; by default from nowhere. */
  readonly source_access?: Partial<Store['source_access']>;
  /** Absent: computing costs nothing. */
  readonly prices?: Store['prices'];
  /** Absent: nobody answers for the copilot. */
  readonly copilot_providers?: Store['copilot_providers'];
  /** Absent: frames are shown to nobody. */
  readonly vision_endpoint?: Store['vision_endpoint'];
  /** Absent: no email, and the usual delays between attempts. */
  readonly notifications?: Store['notifications'];
}

export interface TestStore extends Store {
  close(): Promise<void>;
}

/** A migrated, empty store in a folder (and, on a server, a database) of its own; `close` removes both. */
export async function openTestStore(options: TestStoreOptions = {}): Promise<TestStore> {
  const folder = mkdtempSync(join(options.within ?? tmpdir(), 'assay-test-store-'));
  const opened = await timedStart('database', openDatabase(options, folder));
  await migrate(opened.database);
  const blobs = options.blobs?.(folder) ?? openBlobs({ kind: 'folder', folder: join(folder, 'blobs') });
  const queue = await options.queue?.(opened.database);
  return {
    database: opened.database,
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    ...(options.copilot_providers === undefined ? {} : { copilot_providers: options.copilot_providers }),
    ...(options.vision_endpoint === undefined ? {} : { vision_endpoint: options.vision_endpoint }),
    ...(options.notifications === undefined ? {} : { notifications: options.notifications }),
    data_folder: folder,
    source_access: {
      roots: [],
      private_folders: [folder],
      buckets: [],
      s3: { region: 'us-east-1', force_path_style: true },
      cache_folder: join(folder, 'cache'),
      cache_bytes: 1e9,
      max_upload_bytes: 1e12,
      web: {
        allows: 'all',
        networks: [],
        endpoint: 'https://hub.test',
        token: null,
        token_tenants: [],
        max_bytes: 1e12,
      },
      ...options.source_access,
    },
    blobs,
    get queue() {
      if (queue === undefined) throw new Error('this test asked for no queue: pass one to openTestStore');
      return queue;
    },
    close: async () => {
      await queue?.stop(0);
      blobs.close();
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Opened {
  readonly database: Database;
  close(): Promise<void>;
}

async function openDatabase(
  { on = defaultDatabase, url, bare = false }: TestStoreOptions,
  folder: string,
): Promise<Opened> {
  if (url !== undefined) {
    const database = openServer(url);
    return { database, close: () => database.close() };
  }
  return on === 'server' ? openOwnDatabase(bare) : openInFolder(folder, bare);
}

async function openInFolder(folder: string, bare: boolean): Promise<Opened> {
  if (!bare) await copyEmptyDatabase(folder);
  const database = await openEmbedded(folder);
  return { database, close: () => database.close() };
}

async function openOwnDatabase(bare: boolean): Promise<Opened> {
  const { url, drop } = await createOwnDatabase(bare ? 'bare' : 'migrated');
  const database = openServer(url);
  return {
    database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}

/**
 * Creates a database on the server that ASSAY_TEST_POSTGRES_URL names, or on the one that all test files share. `migrated`
 * copies the migrated template of the shared one; on a named server the database is empty, and the caller migrates it.
 */
export async function createOwnDatabase(
  as: 'bare' | 'migrated' = 'bare',
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const { url, template } =
    serverUrl === undefined ? await sharedResource('postgres') : { url: serverUrl, template: 'template1' };
  const name = `assay_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, `CREATE DATABASE ${name}${as === 'bare' ? '' : ` TEMPLATE ${template}`}`);
  return {
    url: databaseAt(url, name),
    drop: () => onServer(url, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
