import { BroadcastChannel, threadId } from 'node:worker_threads';
import type { Ask, Told } from './messages.ts';

/** Clients of this thread so far. */
let clients = 0;

/** A thread's word with whoever starts the host of its process. */
export class AskHost {
  readonly #channel: BroadcastChannel;
  readonly #client = `${threadId} ${++clients}`;
  readonly #asked = new Map<number, (told: Told) => void>();
  #asks = 0;

  constructor(socket: string) {
    this.#channel = new BroadcastChannel(socket);
    this.#channel.onmessage = (event) => this.#hear((event as { data: Ask | Told }).data);
    this.#channel.unref();
  }

  /** A host that listens. `lost`: the one whose connection was lost. */
  host(lost: number | null): Promise<Told> {
    const ask = ++this.#asks;
    const { promise, resolve } = Promise.withResolvers<Told>();
    this.#asked.set(ask, resolve);
    this.#channel.ref();
    this.#post({ kind: 'host', client: this.#client, ask, lost });
    return promise;
  }

  waiting(waited_s: number): void {
    this.#post({ kind: 'waiting', waited_s });
  }

  close(): void {
    this.#channel.close();
  }

  #post(ask: Ask): void {
    this.#channel.postMessage(ask);
  }

  #hear(told: Ask | Told): void {
    if (told.kind !== 'told' || told.client !== this.#client) return;
    this.#asked.get(told.ask)?.(told);
    this.#asked.delete(told.ask);
    if (this.#asked.size === 0) this.#channel.unref();
  }
}
