import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { migrate, openQueue, openServer } from '#store';
import { startPostgres } from './servers.ts';

/** A server that test files make databases of their own on. */
export interface SharedPostgres {
  readonly url: string;
  /** A migrated, empty database to copy. */
  readonly template: string;
}

const template = 'assay_template';
const socketIn = (folder: string): string => join(folder, 'postgres.sock');

/** In Vitest's main process: starts a server when the first test file asks for it, for all. Gives what ends it. */
export function sharePostgres(folder: string): () => Promise<void> {
  let started: ReturnType<typeof start> | null = null;
  const door = createServer(async (_, response) => {
    started ??= start();
    const answer = await started.then(
      ({ url }) => ({ url, template }),
      (thrown: Error) => ({ failed: thrown.message }),
    );
    response.end(JSON.stringify(answer));
  }).listen(socketIn(folder));
  door.unref();
  return async () => {
    door.close();
    await (await started?.catch(() => null))?.stop();
  };
}

async function start() {
  const server = await startPostgres();
  // What ends with the tests need not outlast a power cut.
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
  return server;
}

/** In a test file. */
export async function sharedPostgres(folder: string): Promise<SharedPostgres> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  get({ socketPath: socketIn(folder), path: '/' }, (answer) => text(answer).then(resolve, reject)).once(
    'error',
    reject,
  );
  const answer: SharedPostgres | { readonly failed: string } = JSON.parse(await promise);
  if ('failed' in answer) throw new Error(answer.failed);
  return answer;
}

/** By hand: the address of a socket has no host, which URL refuses. */
export const databaseAt = (url: string, name: string): string =>
  url.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`);

export async function onServer(url: string, ...statements: string[]): Promise<void> {
  const server = openServer(url, { connections: 1 });
  try {
    for (const statement of statements) await server.query(statement);
  } finally {
    await server.close();
  }
}
