import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openEmbedded, openServer, type Store } from '#store';

/** Databases that this machine can test on; the server's only where ASSAY_TEST_POSTGRES_URL names one. */
export const testDatabases: readonly Database['kind'][] =
  process.env.ASSAY_TEST_POSTGRES_URL === undefined ? ['embedded'] : ['embedded', 'server'];

export interface TestStoreOptions {
  readonly on?: Database['kind'];
  /** Made over the open database; a test that needs none leaves them out. */
  readonly blobs?: (folder: string) => Store['blobs'];
  readonly queue?: (database: Database) => Promise<Store['queue']>;
}

export interface TestStore extends Store {
  close(): Promise<void>;
}

/** A migrated, empty store in a folder (and, on a server, a database) of its own; `close` removes both. */
export async function openTestStore(options: TestStoreOptions = {}): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-store-'));
  const opened = options.on === 'server' ? await openOwnDatabase() : await openInFolder(folder);
  await migrate(opened.database);
  const blobs = options.blobs?.(folder);
  const queue = await options.queue?.(opened.database);
  return {
    database: opened.database,
    data_folder: folder,
    get blobs() {
      return blobs ?? missing('blobs');
    },
    get queue() {
      return queue ?? missing('queue');
    },
    close: async () => {
      await queue?.stop(0);
      blobs?.close();
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Opened {
  readonly database: Database;
  close(): Promise<void>;
}

async function openInFolder(folder: string): Promise<Opened> {
  const database = await openEmbedded(folder);
  return { database, close: () => database.close() };
}

/** A database of its own on the server, so that test files can run at once. */
async function openOwnDatabase(): Promise<Opened> {
  const url = new URL(process.env.ASSAY_TEST_POSTGRES_URL ?? missing('ASSAY_TEST_POSTGRES_URL'));
  const name = `assay_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const database = openServer(own.href);
  return {
    database,
    close: async () => {
      await database.close();
      await onServer(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(url: URL, statement: string): Promise<void> {
  const server = openServer(url.href, { connections: 1 });
  await server.query(statement).finally(() => server.close());
}

function missing(what: string): never {
  throw new Error(`this test asked for no ${what}: pass it to openTestStore`);
}
