import { Worker } from 'node:worker_threads';
import { AssayError } from '#core';
import type { ThreadAnswer, ThreadRequest } from './pglite-thread.ts';

interface Waiting {
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** The way to PGlite's thread, for many connections: `SharedSession` there gives each its turn. */
export class PgliteGate {
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
