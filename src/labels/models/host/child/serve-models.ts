import { createServer, type Socket } from 'node:net';
import { messageOf } from '#core';
import { beginRequest, endRequest, processTime_ms, startWatchdog } from '#io/processes';
import type { Tensors } from '../../contract.ts';
import {
  type FromHost,
  type FromHostProcess,
  type ListenMessage,
  readMessages,
  sendMessage,
  type ToHost,
} from '../protocol.ts';
import { type LoadedModel, LoadedModels, type Runtime } from './loaded-models.ts';

interface QueuedRequest {
  readonly socket: Socket;
  readonly message: ToHost;
}

/**
 * Runs the model process: waits for the message with the socket, then answers the requests of all connections one at
 * a time; exits with its parent.
 */
export function serveModels(runtimesFor: (listen: ListenMessage) => readonly Runtime[]): void {
  const listenMessage = Promise.withResolvers<ListenMessage>();
  process.once('message', (message: ListenMessage) => listenMessage.resolve(message));
  startWatchdog(async () => {
    const listen = await listenMessage.promise;
    const { socket, threads } = listen;
    const queue = new RequestQueue(new LoadedModels(runtimesFor(listen), threads));
    const server = createServer((connection) => {
      connection.on('error', () => {});
      readMessages<ToHost>(connection, (message) => queue.add({ socket: connection, message }));
    });
    server.on('error', (error) => sendToParent({ kind: 'failed', reason: error.message }));
    server.listen(socket, () => sendToParent({ kind: 'listening' }));
  });
}

class RequestQueue {
  readonly #models: LoadedModels;
  readonly #waiting: QueuedRequest[] = [];
  #working = false;

  constructor(models: LoadedModels) {
    this.#models = models;
  }

  add(waiting: QueuedRequest): void {
    this.#waiting.push(waiting);
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { socket, message } = next;
      if (socket.destroyed) continue;
      beginRequest();
      sendMessage(socket, { kind: 'begun', id: message.id } satisfies FromHost);
      // A model blocks this thread: flush what was sent before.
      await new Promise((resolve) => setImmediate(resolve));
      const answer = await this.#answer(message);
      if (!socket.destroyed) sendMessage(socket, answer);
      endRequest();
      // Lets incoming messages and the loss of the parent be handled between requests.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#working = false;
  }

  async #answer(message: ToHost): Promise<FromHost> {
    const { id } = message;
    try {
      const model = await this.#models.get(message.ref);
      if (message.kind === 'run') return { kind: 'ran', id, ...(await timedRun(model, message.inputs)) };
      const { inputs, outputs, device, passed_over, files } = model;
      return { kind: 'loaded', id, spec: { inputs, outputs, device, passed_over, files } };
    } catch (thrown) {
      return { kind: 'failed', id, reason: messageOf(thrown), here: isMachineFault(thrown) };
    }
  }
}

/**
 * Runs a model and measures its compute time: CPU time of this process, which runs one request at a time, or time by
 * the clock if an accelerator runs it.
 */
async function timedRun(model: LoadedModel, inputs: Tensors) {
  const clock_ms = model.device === 'gpu' ? () => performance.now() : processTime_ms;
  const from_ms = clock_ms();
  const outputs = await model.run(inputs);
  return { outputs, compute_ms: clock_ms() - from_ms };
}

const outOfMemoryPattern = /allocation failed|out of memory|cannot allocate memory|bad_alloc/i;

/** Returns whether the error is the machine's fault and not the model's: out of memory, or a missing library. */
const isMachineFault = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  (outOfMemoryPattern.test(thrown.message) ||
    ('code' in thrown &&
      ['ERR_MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED', 'EMFILE'].includes(String(thrown.code))));

function sendToParent(message: FromHostProcess): void {
  if (process.connected) process.send?.(message);
}
