import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { AssayError, limits } from '#core';
import { createDatabase, type Database } from './database.ts';
import type { ThreadAnswer, ThreadRequest } from './pglite-thread.ts';
import { startupAnswer, WireFraming } from './wire-framing.ts';

interface Waiting {
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** The way to PGlite's thread, for many connections: `SharedSession` there gives each its turn. */
class PgliteGate {
  readonly #thread: Worker;
  /** By the round's id. */
  readonly #waiting = new Map<number, Waiting>();
  readonly #connections = new WeakMap<object, number>();
  #nextId = 1;
  #lost: Error | null = null;
  #onClosed: (() => void) | null = null;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  /** Opens the data folder, made when absent. The caller holds the folder's lock: two sessions would lose rows. */
  static async open(folder: string): Promise<PgliteGate> {
    const thread = new Worker(new URL('./pglite-thread.ts', import.meta.url), { workerData: { folder } });
    const gate = new PgliteGate(thread);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    thread.on('message', (answer: ThreadAnswer) => {
      if ('ready' in answer) resolve();
      else if ('failed' in answer) reject(new Error(answer.failed));
      else gate.#heard(answer);
    });
    const gone = (error: Error) => {
      reject(error);
      gate.#lose(error);
    };
    thread.on('error', gone);
    thread.on('exit', (code) => gone(new Error(`the embedded database's thread ended with ${code}`)));
    await promise.catch((thrown: Error) => {
      void thread.terminate();
      throw new AssayError(
        'database_unavailable',
        `the database in ${folder} could not be opened: ${thrown.message}`,
        {
          path: folder,
          advice: 'check the disk; if the folder was copied while in use, restore it from a whole copy',
          cause: thrown,
        },
      );
    });
    return gate;
  }

  /** Sends one round of messages and gives the backend's whole answer. */
  send(connection: object, bytes: Uint8Array): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    if (this.#lost !== null) reject(this.#lost);
    else {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#post({ id, connection: this.#numberOf(connection), bytes });
    }
    return promise;
  }

  /** A connection that went away inside a transaction must not keep the session. */
  leave(connection: object): void {
    if (this.#lost === null) this.#post({ leave: this.#numberOf(connection) });
  }

  async close(): Promise<void> {
    if (this.#lost !== null) return;
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve;
    });
    this.#post({ close: true });
    await closed;
    await this.#thread.terminate();
  }

  #numberOf(connection: object): number {
    const number = this.#connections.get(connection) ?? this.#nextId++;
    this.#connections.set(connection, number);
    return number;
  }

  #post(request: ThreadRequest): void {
    this.#thread.postMessage(request);
  }

  #heard(answer: Exclude<ThreadAnswer, { ready: true } | { failed: string }>): void {
    if ('closed' in answer) {
      this.#lose(new AssayError('database_unavailable', 'the database is closed'));
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('error' in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer.bytes);
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#onClosed?.();
  }
}

/** What `pg` looks at when a session starts; PGlite is one session, opened before. */
const parameters = {
  server_version: '18.0',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
  TimeZone: 'UTC',
};

/** Stands where `pg` expects a socket, and carries its bytes to PGlite. */
class PgliteStream extends Duplex {
  readonly #gate: PgliteGate;
  readonly #framing = new WireFraming();
  #greeted = false;

  constructor(gate: PgliteGate) {
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
    this.#take(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(
      () => callback(),
      (error) => callback(error),
    );
  }

  override _write(chunk: Uint8Array, _encoding: string, callback: (error?: Error | null) => void): void {
    this.#take(chunk).then(
      () => callback(),
      (error) => callback(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#gate.leave(this);
    callback(error);
  }

  async #take(chunk: Uint8Array): Promise<void> {
    const { rounds, ended } = this.#framing.push(chunk);
    for (const round of rounds) {
      if (!this.#greeted) {
        this.#greeted = true;
        this.push(startupAnswer(parameters));
        continue;
      }
      const answer = await this.#gate.send(this, round);
      // Moved over from the thread, so that it need not be copied.
      this.push(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength));
    }
    if (ended) this.push(null);
  }
}

/** `numeric` and `int8` come as numbers: money has at most six places, counts stay under 2^53. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Connections that may wait for the one session of the embedded database. */
const embeddedConnections = 16;

/** The embedded database in `<folder>/database`. The caller holds the lock of `folder`. */
export async function openEmbedded(folder: string): Promise<Database> {
  const gate = await PgliteGate.open(join(folder, 'database'));
  const pool = openPool({
    max: embeddedConnections,
    idleTimeoutMillis: 0,
    stream: () => new PgliteStream(gate) as unknown as import('node:net').Socket,
  });
  return createDatabase('embedded', pool, () => gate.close());
}

export interface ServerOptions {
  /** Connections at most; a worker needs few. */
  readonly connections?: number;
  /** How long a request waits for a connection before `database_unavailable`. */
  readonly connect_timeout_ms?: number;
}

/** A PostgreSQL server, 16 or newer with pgvector, at `postgres://…`. */
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
 * A connection that breaks is told to whoever asks it something. It says so besides, whether it is idle, in hand, or being
 * handed out or back: unheard at any of these moments, that would end the process.
 */
function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...options, types });
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}
