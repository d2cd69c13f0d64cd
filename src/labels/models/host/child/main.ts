import { statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import { messageOf } from '#core';
import type { OnnxProviderId } from '#core/api';
import { begin, idle, underWatch } from '#io/processes';
import type { Tensor, TensorSpec, Tensors } from '../../tensor.ts';
import { readMessages, sendMessage } from '../framing.ts';
import type { ComputedBy, FromHost, FromHostProcess, GraphRef, Listen, ToHost } from '../messages.ts';
import { chooseProviders, deviceOf, onnxMissing, type ProviderChoice } from '../onnx-providers.ts';
import type { LoadedModel, Runtime } from './runtime.ts';
import { tfjs } from './runtimes/tfjs.ts';

interface Waiting {
  readonly socket: Socket;
  readonly message: ToHost;
}

/** The model process: answers the requests of all connections one after the other, and ends when its parent is gone. */
export function serveModels(runtimesFor: (told: Listen) => readonly Runtime[]): void {
  const heard = Promise.withResolvers<Listen>();
  process.once('message', (message: Listen) => heard.resolve(message));
  underWatch(async () => {
    const told = await heard.promise;
    const { socket, threads } = told;
    const queue = new RequestQueue(new LoadedModels(runtimesFor(told), threads));
    const server = createServer((connection) => {
      connection.on('error', () => {});
      readMessages<ToHost>(connection, (message) => queue.add({ socket: connection, message }));
    });
    server.on('error', (error) => tell({ kind: 'failed', reason: error.message }));
    server.listen(socket, () => tell({ kind: 'listening' }));
  });
}

class RequestQueue {
  readonly #models: LoadedModels;
  readonly #waiting: Waiting[] = [];
  #working = false;

  constructor(models: LoadedModels) {
    this.#models = models;
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { socket, message } = next;
      if (socket.destroyed) continue;
      begin();
      sendMessage(socket, { kind: 'begun', id: message.id } satisfies FromHost);
      // A model does not let go of this thread: what was said before must be out.
      await new Promise((resolve) => setImmediate(resolve));
      const answer = await this.#answer(message);
      if (!socket.destroyed) sendMessage(socket, answer);
      idle();
      // Lets messages and the loss of the parent through between two requests.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#working = false;
  }

  async #answer(message: ToHost): Promise<FromHost> {
    const { id } = message;
    try {
      const model = await this.#models.get(message.ref);
      if (message.kind === 'run') return { kind: 'ran', id, outputs: await model.run(message.inputs) };
      const { inputs, outputs, device, passed_over } = model;
      return { kind: 'loaded', id, spec: { inputs, outputs, device, passed_over } };
    } catch (thrown) {
      return { kind: 'failed', id, reason: messageOf(thrown), here: isOfThisMachine(thrown) };
    }
  }
}

const words = /allocation failed|out of memory|cannot allocate memory|bad_alloc/i;

/** Whether the machine is at fault and not the model: no memory, a library that is missing. */
const isOfThisMachine = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  (words.test(thrown.message) ||
    ('code' in thrown &&
      ['ERR_MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED', 'EMFILE'].includes(String(thrown.code))));

function tell(message: FromHostProcess): void {
  if (process.connected) process.send?.(message);
}

/** Models kept loaded; beyond that the one that was not used for longest goes. */
const mostLoaded = 8;

interface Entry {
  /** Size and time of change: a file written anew is loaded anew. */
  readonly stamp: string;
  readonly model: LoadedModel;
}

/** Models of this process, each loaded once for all who ask. */
class LoadedModels {
  readonly #runtimes: ReadonlyMap<string, Runtime>;
  readonly #threads: number;
  /** By runtime and path, the one used last at the end. */
  readonly #entries = new Map<string, Entry>();

  constructor(runtimes: readonly Runtime[], threads: number) {
    this.#runtimes = new Map(runtimes.map((runtime) => [runtime.id, runtime]));
    this.#threads = threads;
  }

  async get(ref: GraphRef): Promise<LoadedModel> {
    const { runtime: id, path } = ref;
    const runtime = this.#runtimes.get(id);
    if (runtime === undefined) throw new Error(`there is no runtime ${id} here`);
    const { size, mtimeMs } = statSync(path);
    const stamp = `${size} ${mtimeMs}`;
    const key = `${id} ${path}`;
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    if (known?.stamp === stamp) {
      this.#entries.set(key, known);
      return known.model;
    }
    await known?.model.release();
    await this.#makeRoom();
    const model = await runtime.load(ref, this.#threads);
    this.#entries.set(key, { stamp, model });
    return model;
  }

  async #makeRoom(): Promise<void> {
    if (this.#entries.size < mostLoaded) return;
    const [[key, oldest]] = this.#entries;
    this.#entries.delete(key);
    await oldest.model.release();
  }
}

serveModels(({ onnx_provider }) => [onnxBy(chooseProviders(onnx_provider)), tfjs]);

/**
 * Models in ONNX, by the first provider that takes them; what it cannot compute of a graph the processors do. The library
 * is loaded when the first model is.
 */
export const onnxBy = ({ providers, passed_over }: ProviderChoice): Runtime => ({
  id: 'onnx',
  load: async ({ path }, threads) => {
    const ort = await import('onnxruntime-node').catch((thrown: NodeJS.ErrnoException) => {
      throw thrown.code === 'ERR_MODULE_NOT_FOUND' ? new Error(onnxMissing) : thrown;
    });
    const told = passed_over === null ? [] : [passed_over];
    for (const [at, provider] of providers.entries())
      try {
        const session = await ort.InferenceSession.create(path, {
          executionProviders: [nameOf(provider)],
          intraOpNumThreads: threads,
          interOpNumThreads: 1,
          // What goes wrong is thrown as well; of a provider that is passed over nobody needs to hear twice.
          logSeverityLevel: at + 1 < providers.length ? 4 : 3,
        });
        const by = { device: deviceOf(provider), passed_over: told.length === 0 ? null : told.join('; ') };
        return loaded(session, ort.Tensor, by);
      } catch (thrown) {
        if (at + 1 === providers.length) throw thrown;
        told.push(`${provider}: ${messageOf(thrown).slice(0, longestReason_chars)}`);
      }
    throw new Error('nothing computes models here');
  },
});

const longestReason_chars = 300;

/** As the library calls it. */
const nameOf = (provider: OnnxProviderId): string => (provider === 'directml' ? 'dml' : provider);

function loaded(session: InferenceSession, make: typeof OrtTensor, by: ComputedBy): LoadedModel {
  return {
    ...by,
    inputs: session.inputMetadata.map(specOf),
    outputs: session.outputMetadata.map(specOf),
    run: async (inputs) => {
      const feeds = Object.entries(inputs).map(([name, { type, data, dims }]) => [
        name,
        new make(type as 'float32', data as Float32Array, dims),
      ]);
      const results = await session.run(Object.fromEntries(feeds));
      return Object.fromEntries(Object.entries(results).map(([name, value]) => [name, tensorOf(value)]));
    },
    release: () => session.release(),
  };
}

const specOf = (one: InferenceSession.ValueMetadata): TensorSpec => ({
  name: one.name,
  type: one.isTensor ? one.type : 'unknown',
  dims: one.isTensor ? one.shape.map((size) => (typeof size === 'number' ? size : null)) : [],
});

const tensorOf = ({ type, dims, data }: OrtTensor): Tensors[string] =>
  ({ type, dims: [...dims], data }) as unknown as Tensor;
