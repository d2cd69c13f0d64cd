import { connect, type Socket } from 'node:net';
import { readMessages, sendMessage } from './framing.ts';
import type { FromHost, ToHost } from './messages.ts';

/** Between two words to whoever starts the host that a request is still waiting. */
const waiting_ms = 500;

type Answer = Exclude<FromHost, { kind: 'begun' }>;
type Unnumbered<Message> = Message extends ToHost ? Omit<Message, 'id'> : never;

/** The host went away before it answered. */
export class HostLost extends Error {
  /** It was at this request. */
  readonly begun: boolean;

  constructor(begun: boolean) {
    super('the model process is gone');
    this.begun = begun;
  }
}

interface Pending {
  begun: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (lost: HostLost) => void;
}

/** A connection to one host. It keeps the process alive only while an answer is awaited. */
export class HostConnection {
  readonly generation: number;
  /** Another host was asked for. */
  replaced = false;
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #lost = false;

  static async open(socket: string, generation: number): Promise<HostConnection> {
    const stream = connect(socket);
    stream.unref();
    return new HostConnection(stream, generation);
  }

  private constructor(socket: Socket, generation: number) {
    this.generation = generation;
    this.#socket = socket;
    readMessages<FromHost>(socket, (message) => this.#hear(message));
    socket.on('error', () => {});
    socket.once('close', () => this.#lose());
  }

  /** Throws HostLost. `onWaiting` is told now and then how long nothing came. */
  async request(message: Unnumbered<ToHost>, onWaiting: (waited_s: number) => void): Promise<Answer> {
    if (this.#lost) throw new HostLost(false);
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#pending.set(id, { begun: false, resolve, reject });
    this.#socket.ref();
    const from_ms = performance.now();
    const timer = setInterval(() => onWaiting((performance.now() - from_ms) / 1000), waiting_ms).unref();
    sendMessage(this.#socket, { ...message, id });
    try {
      return await promise;
    } finally {
      clearInterval(timer);
      this.#pending.delete(id);
      if (this.#pending.size === 0) this.#socket.unref();
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #hear(message: FromHost): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.kind === 'begun') pending.begun = true;
    else pending.resolve(message);
  }

  #lose(): void {
    this.#lost = true;
    for (const { begun, reject } of this.#pending.values()) reject(new HostLost(begun));
  }
}
