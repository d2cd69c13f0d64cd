import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { type Round, SharedSession } from './shared-session.ts';

/**
 * PGlite in a thread of its own: a heavy query blocks this event loop, never the service's. It answers rounds of
 * PostgreSQL wire messages; whose turn it is, is decided here, so that it never waits for the other thread between two.
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

/** PGlite's own parameters without `-F`, which would turn fsync off: a power cut must not lose what was acknowledged. */
const durable = ['fsync=on', 'wal_sync_method=open_datasync', 'synchronous_commit=on'];
/** Of 128 MB, PostgreSQL's own, the most stays resident; what is not in here is in the system's cache of files. */
const lean = ['shared_buffers=32MB'];
const startParams = PGlite.defaultStartParams
  .filter((parameter) => parameter !== '-F')
  .concat([...durable, ...lean].flatMap((setting) => ['-c', setting]));

const port = parentPort!;
const { folder } = workerData as ThreadData;
const say = (answer: ThreadAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(answer, transfer);

async function start(): Promise<void> {
  const database = await PGlite.create({ dataDir: folder, extensions: { vector }, startParams });
  const session = new SharedSession({
    execute: (bytes) => answerOf(database, bytes),
    onAnswer: (id, bytes) => say({ id, bytes }, [bytes.buffer as ArrayBuffer]),
    onError: (id, error) => say({ id, error }),
  });
  port.on('message', (request: ThreadRequest) => {
    if ('close' in request) void session.idle().then(() => close(database));
    else if ('leave' in request) session.leave(request.leave);
    else session.add(request);
  });
  say({ ready: true });
}

/** The raw answer. `execProtocolRaw` would parse every message as well, and keep what it parsed for ever. */
async function answerOf(database: PGlite, bytes: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  // A part lies in memory that the next is written over. On a disk there is nothing to be synchronised.
  const onRawData = (part: Uint8Array) => void parts.push(part.slice());
  await database.execProtocolRawStream(bytes, { onRawData, syncToFs: false });
  return parts.length === 1 ? parts[0] : joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
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
  say({ closed: true });
  port.close();
}

start().catch((thrown) =>
  say({ failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }),
);
