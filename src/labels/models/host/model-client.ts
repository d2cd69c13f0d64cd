import { connect, type Socket } from 'node:net';
import { BroadcastChannel, threadId } from 'node:worker_threads';
import { AssayError } from '#core';
import { addHelperTime } from '#io/processes';
import {
  contractViolation,
  depthViolation,
  type ModelContract,
  mainGraph,
  type Tensors,
} from '../contract.ts';
import {
  type ClientMessage,
  type FromHost,
  type GraphRef,
  type HostEnd,
  type HostReply,
  type LoadedSpec,
  type ModelRef,
  readMessages,
  sendMessage,
  type ToHost,
} from './protocol.ts';

/** Maximum hosts that may end during other requests while this one waits. */
const maxLosses = 5;

type Unnumbered<Message> = Message extends ToHost ? Omit<Message, 'id'> : never;
type Answer = Exclude<FromHost, { kind: 'begun' | 'failed' }>;

/**
 * Sends requests to the model host of this process; use one per thread. If the host ends during a request, the
 * request is retried once, unless the cause would recur.
 */
export class ModelClient {
  readonly #requester: HostRequester;
  readonly #socket: string;
  #connection: Promise<HostConnection> | null = null;
  /** How lost hosts ended, by generation. */
  readonly #ends = new Map<number, HostEnd>();
  #closed = false;

  /** `socket`: socket of a `ModelHost` of this process. */
  constructor(socket: string) {
    this.#socket = socket;
    this.#requester = new HostRequester(socket);
  }

  /**
   * Loads a graph of a model in the host, or reuses the loaded one, and returns a session to run it; throws
   * `layer_unavailable` if it cannot be loaded or violates its contract, `unfinished` if the host could not run it.
   */
  async session(model: ModelRef, graph = mainGraph): Promise<ModelSession> {
    const ref = graphRef(model, graph);
    const loaded = await this.#request(model, { kind: 'load', ref });
    const { spec } = loaded as { readonly spec: LoadedSpec };
    const depth = model.contract?.form === 'depth' ? model.contract.depth : undefined;
    const fault =
      depth !== undefined ? depthViolation(spec, depth) : ref.shape && contractViolation(spec, ref.shape);
    if (fault) throw modelError(model, { reason: fault, here: false });
    const run = async (inputs: Tensors): Promise<Tensors> => {
      const ran = await this.#request(model, { kind: 'run', ref, inputs });
      const { outputs, compute_ms } = ran as Extract<Answer, { kind: 'ran' }>;
      // Loading is not counted: the loaded model serves later jobs as well.
      addHelperTime('models', compute_ms);
      return outputs;
    };
    const { model: id, runtime, contract = null } = model;
    return { model: id, runtime, contract, ...spec, run };
  }

  /** Closes the connection, so that pending requests fail; do not use the client afterwards. The host keeps running. */
  close(): void {
    this.#closed = true;
    this.#requester.close();
    void this.#connection?.then((connection) => connection.close()).catch(() => {});
  }

  async #request(ref: ModelRef, message: Unnumbered<ToHost>): Promise<Answer> {
    let deaths = 0;
    for (let losses = 0; ; losses++) {
      const connection = await this.#connected(ref);
      try {
        const answer = await connection.request(message, (waited_s) => this.#requester.waiting(waited_s));
        if (answer.kind === 'failed') throw modelError(ref, answer);
        return answer as Answer;
      } catch (thrown) {
        if (!(thrown instanceof HostLost) || this.#closed) throw thrown;
        const end = await this.#awaitEnd(connection, ref);
        if (thrown.begun) deaths++;
        if (thrown.begun && (deaths > 1 || !end.retryable)) throw unfinishedError(ref, end.reason);
        if (losses >= maxLosses) throw unfinishedError(ref, end.reason);
      }
    }
  }

  #connected(ref: ModelRef): Promise<HostConnection> {
    this.#connection ??= this.#connect(null, ref);
    return this.#connection;
  }

  async #connect(lost: number | null, ref: ModelRef): Promise<HostConnection> {
    const { generation, failure, end } = await this.#requester.host(lost);
    if (lost !== null && end !== null) this.#ends.set(lost, end);
    if (failure !== null) {
      this.#connection = null;
      throw unfinishedError(ref, `could not be started: ${failure}`);
    }
    return HostConnection.open(this.#socket, generation);
  }

  /** Returns how a host ended, and connects to its replacement. */
  async #awaitEnd(connection: HostConnection, ref: ModelRef): Promise<HostEnd> {
    if (!connection.replaced) {
      connection.replaced = true;
      this.#connection = this.#connect(connection.generation, ref);
    }
    await this.#connection?.catch(() => {});
    return this.#ends.get(connection.generation) ?? { reason: 'ended unexpectedly', retryable: true };
  }
}

function graphRef({ model, runtime, graphs, contract }: ModelRef, graph: string): GraphRef {
  const path = graphs[graph];
  const shape = contract?.graphs[graph];
  if (path === undefined) throw new AssayError('internal', `the model ${model} has no graph ${graph}`);
  return { runtime, path, ...(shape !== undefined && { shape }) };
}

type Refusal = Pick<Extract<FromHost, { kind: 'failed' }>, 'reason' | 'here'>;

const modelError = ({ model }: ModelRef, { reason, here }: Refusal): AssayError =>
  new AssayError(here ? 'unfinished' : 'layer_unavailable', `the model ${model} cannot run: ${reason}`, {
    advice: `run assay models verify ${model} to check its files, or choose another model`,
  });

const unfinishedError = ({ model }: ModelRef, why: string): AssayError =>
  new AssayError('unfinished', `the model ${model} could not run: the model process ${why}`, {
    advice: 'retry with more free memory or less load, or choose a smaller model',
  });

/** Number of clients created in this thread. */
let clientCount = 0;

/** Requests hosts from the `ModelHost` over a broadcast channel. */
class HostRequester {
  readonly #channel: BroadcastChannel;
  readonly #client = `${threadId} ${++clientCount}`;
  readonly #pending = new Map<number, (reply: HostReply) => void>();
  #requests = 0;

  constructor(socket: string) {
    this.#channel = new BroadcastChannel(socket);
    this.#channel.onmessage = (event) => this.#receive((event as { data: ClientMessage | HostReply }).data);
    this.#channel.unref();
  }

  /** Requests a listening host. `lost`: generation of the host whose connection was lost. */
  host(lost: number | null): Promise<HostReply> {
    const requestId = ++this.#requests;
    const { promise, resolve } = Promise.withResolvers<HostReply>();
    this.#pending.set(requestId, resolve);
    this.#channel.ref();
    this.#post({ kind: 'host', client: this.#client, request_id: requestId, lost });
    return promise;
  }

  waiting(waited_s: number): void {
    this.#post({ kind: 'waiting', waited_s });
  }

  close(): void {
    this.#channel.close();
  }

  #post(message: ClientMessage): void {
    this.#channel.postMessage(message);
  }

  #receive(reply: ClientMessage | HostReply): void {
    if (reply.kind !== 'reply' || reply.client !== this.#client) return;
    this.#pending.get(reply.request_id)?.(reply);
    this.#pending.delete(reply.request_id);
    if (this.#pending.size === 0) this.#channel.unref();
  }
}

/** A loaded graph of a model. */
export interface ModelSession extends LoadedSpec {
  /** Model id in the registry. */
  readonly model: string;
  readonly runtime: ModelRef['runtime'];
  /** Contract it was checked against; `null` if there is none. */
  readonly contract: ModelContract | null;
  /**
   * Runs the graph on named inputs.
   * @throws `unfinished` if the host process ended, `layer_unavailable` with the runtime's message if the model
   * rejects the inputs.
   */
  run(inputs: Tensors): Promise<Tensors>;
}

/** Interval at which a waiting request is reported. */
const waitingInterval_ms = 500;

type ConnectionAnswer = Exclude<FromHost, { kind: 'begun' }>;

/** The host ended before it answered. */
class HostLost extends Error {
  /** Whether it was processing this request. */
  readonly begun: boolean;

  constructor(begun: boolean) {
    super('the model process has ended');
    this.begun = begun;
  }
}

interface Pending {
  begun: boolean;
  readonly resolve: (answer: ConnectionAnswer) => void;
  readonly reject: (lost: HostLost) => void;
}

/** Connection to a host process. It keeps this process alive only while an answer is pending. */
class HostConnection {
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
  async request(
    message: Unnumbered<ToHost>,
    onWaiting: (waited_s: number) => void,
  ): Promise<ConnectionAnswer> {
    if (this.#lost) throw new HostLost(false);
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<ConnectionAnswer>();
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
