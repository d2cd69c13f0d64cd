import { BroadcastChannel, threadId } from 'node:worker_threads';
import { AssayError } from '#core';
import { mainGraph, shapeFault } from '../contract.ts';
import type { ModelSession } from '../model-session.ts';
import type { Tensors } from '../tensor.ts';
import { HostConnection, HostLost } from './host-connection.ts';
import type {
  Ask,
  ComputedBy,
  FromHost,
  GraphRef,
  HostEnd,
  ModelRef,
  ModelSpec,
  ToHost,
  Told,
} from './messages.ts';

/** Hosts that may end under other requests while this one waits. */
const mostLosses = 5;

type Unnumbered<Message> = Message extends ToHost ? Omit<Message, 'id'> : never;
type Answer = Exclude<FromHost, { kind: 'begun' | 'failed' }>;

/**
 * A thread's way to the host of its process. A request under which the host ended is tried once more, unless it would
 * end the next one as well.
 */
export class ModelClient {
  readonly #ask: AskHost;
  readonly #socket: string;
  #connection: Promise<HostConnection> | null = null;
  /** How the hosts ended whose connection was lost. */
  readonly #ends = new Map<number, HostEnd>();
  #closed = false;

  /** `socket`: of a `ModelHost` of this process. */
  constructor(socket: string) {
    this.#socket = socket;
    this.#ask = new AskHost(socket);
  }

  /**
   * Loads a graph of a model, or finds it loaded. Throws `layer_unavailable` where it cannot be, or where it is not what
   * its contract says, and `unfinished`.
   */
  async session(model: ModelRef, graph = mainGraph): Promise<ModelSession> {
    const ref = graphOf(model, graph);
    const loaded = await this.#request(model, { kind: 'load', ref });
    const { spec } = loaded as { readonly spec: ModelSpec & ComputedBy };
    const fault = ref.shape === undefined ? null : shapeFault(spec, ref.shape);
    if (fault !== null) throw refused(model, { reason: fault, here: false });
    const run = async (given: Tensors): Promise<Tensors> => {
      const ran = await this.#request(model, { kind: 'run', ref, inputs: given });
      return (ran as { readonly outputs: Tensors }).outputs;
    };
    return { model: model.model, contract: model.contract ?? null, ...spec, run };
  }

  close(): void {
    this.#closed = true;
    this.#ask.close();
    void this.#connection?.then((connection) => connection.close()).catch(() => {});
  }

  async #request(ref: ModelRef, message: Unnumbered<ToHost>): Promise<Answer> {
    let deaths = 0;
    for (let losses = 0; ; losses++) {
      const connection = await this.#connected(ref);
      try {
        const answer = await connection.request(message, (waited_s) => this.#ask.waiting(waited_s));
        if (answer.kind === 'failed') throw refused(ref, answer);
        return answer as Answer;
      } catch (thrown) {
        if (!(thrown instanceof HostLost) || this.#closed) throw thrown;
        const end = await this.#endOf(connection, ref);
        if (thrown.begun) deaths++;
        if (thrown.begun && (deaths > 1 || !end.again)) throw unfinished(ref, end.why);
        if (losses >= mostLosses) throw unfinished(ref, end.why);
      }
    }
  }

  #connected(ref: ModelRef): Promise<HostConnection> {
    this.#connection ??= this.#connect(null, ref);
    return this.#connection;
  }

  async #connect(lost: number | null, ref: ModelRef): Promise<HostConnection> {
    const { generation, failure, end } = await this.#ask.host(lost);
    if (lost !== null && end !== null) this.#ends.set(lost, end);
    if (failure !== null) {
      this.#connection = null;
      throw unfinished(ref, `could not be started: ${failure}`);
    }
    return HostConnection.open(this.#socket, generation);
  }

  /** How a host ended; the next request goes to the one after it. */
  async #endOf(connection: HostConnection, ref: ModelRef): Promise<HostEnd> {
    if (!connection.replaced) {
      connection.replaced = true;
      this.#connection = this.#connect(connection.generation, ref);
    }
    await this.#connection?.catch(() => {});
    return this.#ends.get(connection.generation) ?? { why: 'was lost', again: true };
  }
}

function graphOf({ model, runtime, graphs, contract }: ModelRef, graph: string): GraphRef {
  const path = graphs[graph];
  const shape = contract?.graphs[graph];
  if (path === undefined) throw new AssayError('internal', `the model ${model} has no graph ${graph}`);
  return { runtime, path, ...(shape !== undefined && { shape }) };
}

type Refusal = Pick<Extract<FromHost, { kind: 'failed' }>, 'reason' | 'here'>;

const refused = ({ model }: ModelRef, { reason, here }: Refusal): AssayError =>
  new AssayError(here ? 'unfinished' : 'layer_unavailable', `the model ${model} cannot be run: ${reason}`, {
    advice: `look whether its files are whole: assay models verify ${model}; or choose another model`,
  });

const unfinished = ({ model }: ModelRef, why: string): AssayError =>
  new AssayError('unfinished', `the model ${model} could not be run here: the model process ${why}`, {
    advice: 'try it again where the machine has more memory or less to do, or choose a smaller model',
  });

/** Clients of this thread so far. */
let clients = 0;

/** A thread's word with whoever starts the host of its process. */
class AskHost {
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
