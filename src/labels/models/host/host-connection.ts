import { connect, type Socket } from 'node:net';
import { type FromHost, readMessages, sendMessage, type ToHost } from './protocol.ts';

/** Interval at which a waiting request is reported. */
const waitingInterval_ms = 500;

type Answer = Exclude<FromHost, { kind: 'begun' }>;
type Unnumbered<Message> = Message extends ToHost ? Omit<Message, 'id'> : never;

/** The host ended before it answered. */
export class HostLost extends Error {
  /** Whether it was processing this request. */
  readonly begun: boolean;

  constructor(begun: boolean) {
    super('the model process has ended');
    this.begun = begun;
  }
}

interface Pending {
  begun: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (lost: HostLost) => void;
}

/** Connection to a host process. It keeps this process alive only while an answer is pending. */
export class HostConnection {
  readonly generation: number;
  /** Whether a replacement host has been requested. */
  replaced = false;
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #lost = false;

  /** Connects to the socket of a host. */
  static async open(socket: string, generation: number): Promise<HostConnection> {
    const stream = connect(socket);
    stream.unref();
    return new HostConnection(stream, generation);
  }

  private constructor(socket: Socket, generation: number) {
    this.generation = generation;
    this.#socket = socket;
    readMessages<FromHost>(socket, (message) => this.#receive(message));
    socket.on('error', () => {});
    socket.once('close', () => this.#failPending());
  }

  /**
   * Sends a request and returns its answer. `onWaiting` is called regularly with the time waited so far.
   * @throws `HostLost` if the host ends first.
   */
  async request(message: Unnumbered<ToHost>, onWaiting: (waited_s: number) => void): Promise<Answer> {
    if (this.#lost) throw new HostLost(false);
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#pending.set(id, { begun: false, resolve, reject });
    this.#socket.ref();
    const start_ms = performance.now();
    const timer = setInterval(
      () => onWaiting((performance.now() - start_ms) / 1000),
      waitingInterval_ms,
    ).unref();
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

  #receive(message: FromHost): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.kind === 'begun') pending.begun = true;
    else pending.resolve(message);
  }

  #failPending(): void {
    this.#lost = true;
    for (const { begun, reject } of this.#pending.values()) reject(new HostLost(begun));
  }
}
