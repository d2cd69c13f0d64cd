import { migrate, openQueue, openServer } from '#store';
import { startPostgres } from './servers.ts';
import type { SharedResource } from './shared-resources.ts';

/**
 * Starts a PostgreSQL on which test files make databases of their own. Facts: `url`, and `template`, the name of a
 * migrated, empty database to copy.
 */
export async function startTemplateServer(): Promise<SharedResource> {
  const server = await startPostgres();
  const template = 'assay_template';
  // Rows of a test run need not outlast a power cut.
  await onServer(
    server.url,
    'ALTER SYSTEM SET fsync = off',
    'SELECT pg_reload_conf()',
    `CREATE DATABASE ${template}`,
  );
  const database = openServer(databaseAt(server.url, template));
  await migrate(database);
  const queue = await openQueue(database, { worker: 'template' });
  await queue.stop(0);
  await database.close();
  return { facts: { url: server.url, template }, stop: server.stop };
}

/** `url` with another database. By hand: the address of a socket has no host, which URL refuses. */
export const databaseAt = (url: string, name: string): string =>
  url.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`);

/** Runs statements on a connection of their own. */
export async function onServer(url: string, ...statements: string[]): Promise<void> {
  const server = openServer(url, { connections: 1 });
  try {
    for (const statement of statements) await server.query(statement);
  } finally {
    await server.close();
  }
}
