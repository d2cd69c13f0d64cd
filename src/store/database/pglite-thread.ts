import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { type Round, SharedSession } from './shared-session.ts';

/**
 * Start data of the PGlite thread. PGlite runs in its own thread, so that heavy queries do not block the event loop of
 * the service. The thread executes rounds of PostgreSQL wire messages and also decides their order, so that no time is
 * lost between two rounds.
 */
export interface ThreadData {
  readonly folder: string;
}
export type ThreadRequest = Round | { readonly leave: number } | { readonly close: true };
export type ThreadAnswer =
  | { readonly ready: true }
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly error: string }
  | { readonly failed: string }
  | { readonly closed: true };

/** Start parameters without PGlite's `-F`, which would disable fsync and lose acknowledged data in a power failure. */
const durabilitySettings = ['fsync=on', 'wal_sync_method=open_datasync', 'synchronous_commit=on'];
/** PostgreSQL's default of 128 MB would mostly stay resident; other pages are in the file cache of the system. */
const memorySettings = ['shared_buffers=32MB'];
const startParams = PGlite.defaultStartParams
  .filter((parameter) => parameter !== '-F')
  .concat([...durabilitySettings, ...memorySettings].flatMap((setting) => ['-c', setting]));

const port = parentPort!;
const { folder } = workerData as ThreadData;
const post = (answer: ThreadAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(answer, transfer);

async function start(): Promise<void> {
  const database = await PGlite.create({ dataDir: folder, extensions: { vector }, startParams });
  const session = new SharedSession({
    execute: (bytes) => executeRound(database, bytes),
    onAnswer: (id, bytes) => post({ id, bytes }, [bytes.buffer as ArrayBuffer]),
    onError: (id, error) => post({ id, error }),
  });
  port.on('message', (request: ThreadRequest) => {
    if ('close' in request) void session.idle().then(() => close(database));
    else if ('leave' in request) session.releaseConnection(request.leave);
    else session.add(request);
  });
  post({ ready: true });
}

/**
 * Executes a round and returns the raw answer. `execProtocolRaw` would also parse every message and keep the results
 * for ever.
 */
async function executeRound(database: PGlite, bytes: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  // The memory of a part is overwritten by the next one. On a disk there is nothing to sync.
  const onRawData = (part: Uint8Array) => void parts.push(part.slice());
  await database.execProtocolRawStream(bytes, { onRawData, syncToFs: false });
  return parts.length === 1 ? parts[0] : concatenate(parts);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function close(database: PGlite): Promise<void> {
  await database.close();
  post({ closed: true });
  port.close();
}

start().catch((thrown) =>
  post({ failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }),
);
