import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

/**
 * PGlite in a thread of its own: a heavy query blocks this event loop, never the service's. It answers rounds of
 * PostgreSQL wire messages, one at a time and in order.
 */
export interface ThreadData {
  readonly folder: string;
}
export type ThreadRequest = { readonly id: number; readonly bytes: Uint8Array } | { readonly close: true };
export type ThreadAnswer =
  | { readonly ready: true }
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly error: string }
  | { readonly failed: string }
  | { readonly closed: true };

/** PGlite's own parameters without `-F`, which would turn fsync off: a power cut must not lose what was acknowledged. */
const durable = ['fsync=on', 'wal_sync_method=open_datasync', 'synchronous_commit=on'];
const startParams = PGlite.defaultStartParams
  .filter((parameter) => parameter !== '-F')
  .concat(durable.flatMap((setting) => ['-c', setting]));

const port = parentPort!;
const { folder } = workerData as ThreadData;
const say = (answer: ThreadAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(answer, transfer);

async function start(): Promise<void> {
  const database = await PGlite.create({ dataDir: folder, extensions: { vector }, startParams });
  let work: Promise<void> = Promise.resolve();
  port.on('message', (request: ThreadRequest) => {
    work = work.then(() => answer(database, request));
  });
  say({ ready: true });
}

async function answer(database: PGlite, request: ThreadRequest): Promise<void> {
  if ('close' in request) {
    await database.close();
    say({ closed: true });
    port.close();
    return;
  }
  try {
    const raw = await database.execProtocolRaw(request.bytes);
    const bytes = raw.slice();
    say({ id: request.id, bytes }, [bytes.buffer]);
  } catch (thrown) {
    say({ id: request.id, error: thrown instanceof Error ? thrown.message : String(thrown) });
  }
}

start().catch((thrown) =>
  say({ failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }),
);
