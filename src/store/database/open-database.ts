import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { AssayError, limits } from '#core';
import { createDatabase, type Database } from './database.ts';
import type { ThreadAnswer, ThreadRequest } from './pglite-thread.ts';
import { startupAnswer, WireFraming } from './wire-framing.ts';

interface PendingAnswer {
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** Client of the PGlite thread for many connections, which share its single session (`SharedSession`). */
class PgliteClient {
  readonly #thread: Worker;
  /** Unanswered rounds by id. */
  readonly #waiting = new Map<number, PendingAnswer>();
  readonly #connections = new WeakMap<object, number>();
  #nextId = 1;
  #failure: Error | null = null;
  #onClosed: (() => void) | null = null;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  /**
   * Opens the database in a data folder, which is created if missing. The caller must hold the folder lock, because two
   * sessions on one folder would lose rows.
   */
  static async open(folder: string): Promise<PgliteClient> {
    const thread = new Worker(new URL('./pglite-thread.ts', import.meta.url), { workerData: { folder } });
    const gate = new PgliteClient(thread);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    thread.on('message', (answer: ThreadAnswer) => {
      if ('ready' in answer) resolve();
      else if ('failed' in answer) reject(new Error(answer.failed));
      else gate.#onAnswer(answer);
    });
    const onThreadEnd = (error: Error) => {
      reject(error);
      gate.#fail(error);
    };
    thread.on('error', onThreadEnd);
    thread.on('exit', (code) =>
      onThreadEnd(new Error(`the thread of the embedded database exited with code ${code}`)),
    );
    await promise.catch((thrown: Error) => {
      void thread.terminate();
      throw new AssayError(
        'database_unavailable',
        `cannot open the database in ${folder}: ${thrown.message}`,
        {
          path: folder,
          advice: 'check the disk; if the folder was copied while in use, restore it from a complete backup',
          cause: thrown,
        },
      );
    });
    return gate;
  }

  /** Sends one round of messages and returns the complete answer of the backend. */
  send(connection: object, bytes: Uint8Array): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    if (this.#failure !== null) reject(this.#failure);
    else {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#post({ id, connection: this.#connectionId(connection), bytes });
    }
    return promise;
  }

  /** Releases the session if the connection had an open transaction; called when a connection is closed. */
  releaseConnection(connection: object): void {
    if (this.#failure === null) this.#post({ leave: this.#connectionId(connection) });
  }

  async close(): Promise<void> {
    if (this.#failure !== null) return;
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve;
    });
    this.#post({ close: true });
    await closed;
    await this.#thread.terminate();
  }

  #connectionId(connection: object): number {
    const number = this.#connections.get(connection) ?? this.#nextId++;
    this.#connections.set(connection, number);
    return number;
  }

  #post(request: ThreadRequest): void {
    this.#thread.postMessage(request);
  }

  #onAnswer(answer: Exclude<ThreadAnswer, { ready: true } | { failed: string }>): void {
    if ('closed' in answer) {
      this.#fail(new AssayError('database_unavailable', 'the database is closed'));
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('error' in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer.bytes);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#onClosed?.();
  }
}

/** Server parameters that `pg` reads when a session starts; the PGlite session is already open. */
const serverParameters = {
  server_version: '18.0',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
  TimeZone: 'UTC',
};

/** Replaces the socket of `pg` and passes its bytes to PGlite. */
class PgliteStream extends Duplex {
  readonly #gate: PgliteClient;
  readonly #framing = new WireFraming();
  #hasStarted = false;

  constructor(gate: PgliteClient) {
    super();
    this.#gate = gate;
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _writev(chunks: readonly { chunk: Uint8Array }[], callback: (error?: Error | null) => void): void {
    this.#forward(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(
      () => callback(),
      (error) => callback(error),
    );
  }

  override _write(chunk: Uint8Array, _encoding: string, callback: (error?: Error | null) => void): void {
    this.#forward(chunk).then(
      () => callback(),
      (error) => callback(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#gate.releaseConnection(this);
    callback(error);
  }

  async #forward(chunk: Uint8Array): Promise<void> {
    const { rounds, ended } = this.#framing.push(chunk);
    for (const round of rounds) {
      if (!this.#hasStarted) {
        this.#hasStarted = true;
        this.push(startupAnswer(serverParameters));
        continue;
      }
      const answer = await this.#gate.send(this, round);
      // Transferred from the thread, so no copy is needed.
      this.push(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength));
    }
    if (ended) this.push(null);
  }
}

/** Returns `numeric` and `int8` as numbers: money has at most six decimal places, counts stay below 2^53. */
const typeParsers = new pg.TypeOverrides();
typeParsers.setTypeParser(pg.types.builtins.INT8, Number);
typeParsers.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Connections that may wait for the single session of the embedded database. */
const embeddedConnections = 16;

/**
 * Opens the embedded database in `<folder>/database`, which is created if missing. The caller must hold the lock of `folder`.
 * @throws `database_unavailable`
 */
export async function openEmbedded(folder: string): Promise<Database> {
  const gate = await PgliteClient.open(join(folder, 'database'));
  const pool = openPool({
    max: embeddedConnections,
    idleTimeoutMillis: 0,
    stream: () => new PgliteStream(gate) as unknown as import('node:net').Socket,
  });
  return createDatabase('embedded', pool, () => gate.close());
}

/** Options of a server connection. */
export interface ServerOptions {
  /** Maximum number of connections; a worker needs few. */
  readonly connections?: number;
  /** Time in ms that a request waits for a connection before `database_unavailable`. */
  readonly connect_timeout_ms?: number;
}

/**
 * Returns a connection pool to a PostgreSQL server (16 or newer, with pgvector) at a `postgres://…` URL; nothing is sent
 * before the first query.
 */
export function openServer(url: string, options: ServerOptions = {}): Database {
  const pool = openPool({
    connectionString: url,
    max: options.connections ?? limits.storage.database_connections.value,
    connectionTimeoutMillis: options.connect_timeout_ms ?? limits.storage.database_connect_ms.value,
    keepAlive: true,
  });
  return createDatabase('server', pool, async () => {});
}

/**
 * Opens a pool that ignores error events of connections. A broken connection also fails the running query; without a
 * listener its error event would end the process.
 */
function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...options, types: typeParsers });
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}
