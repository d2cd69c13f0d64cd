import { Worker } from 'node:worker_threads';
import { AssayError } from '#kernel';
import type { ThreadAnswer, ThreadRequest } from './pglite-thread.ts';
import { isIdle } from './wire-framing.ts';

interface Waiting {
  readonly connection: object;
  readonly bytes: Uint8Array;
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Lets many connections share PGlite's single session: rounds go one at a time, and a connection that is inside a
 * transaction has the session to itself until it commits or rolls back.
 */
export class PgliteGate {
  readonly #thread: Worker;
  readonly #queue: Waiting[] = [];
  #current: Waiting | null = null;
  /** In a transaction. */
  #holder: object | null = null;
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
      this.#queue.push({ connection, bytes, resolve, reject });
      this.#next();
    }
    return promise;
  }

  /** A connection that went away inside a transaction must not keep the session. */
  leave(connection: object): void {
    if (this.#holder !== connection && this.#current?.connection !== connection) return;
    const rollback = Buffer.from('Q\0\0\0\x0dROLLBACK\0', 'latin1');
    this.send(connection, rollback).catch(() => {});
  }

  async close(): Promise<void> {
    if (this.#lost !== null) return;
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve;
    });
    this.#thread.postMessage({ close: true } satisfies ThreadRequest);
    await closed;
    await this.#thread.terminate();
  }

  #next(): void {
    if (this.#current !== null) return;
    const at =
      this.#holder === null ? 0 : this.#queue.findIndex(({ connection }) => connection === this.#holder);
    const [waiting] = at < 0 ? [] : this.#queue.splice(at, 1);
    if (waiting === undefined) return;
    this.#current = waiting;
    this.#thread.postMessage({ id: this.#nextId++, bytes: waiting.bytes } satisfies ThreadRequest);
  }

  #heard(answer: Exclude<ThreadAnswer, { ready: true } | { failed: string }>): void {
    if ('closed' in answer) {
      this.#lost = new AssayError('database_unavailable', 'the database is closed');
      this.#onClosed?.();
      return;
    }
    const waiting = this.#current!;
    this.#current = null;
    if ('error' in answer) waiting.reject(new Error(answer.error));
    else {
      this.#holder = isIdle(answer.bytes) ? null : waiting.connection;
      waiting.resolve(answer.bytes);
    }
    this.#next();
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    const left = this.#queue.splice(0);
    if (this.#current !== null) left.unshift(this.#current);
    this.#current = null;
    for (const { reject } of left) reject(error);
    this.#onClosed?.();
  }
}
