import { createServer, type Socket } from 'node:net';
import { messageOf } from '#core';
import { begin, idle, underWatch } from '#io/processes';
import { readMessages, sendMessage } from '../framing.ts';
import type { FromHost, FromHostProcess, Listen, ToHost } from '../messages.ts';
import { LoadedModels } from './loaded-models.ts';
import type { Runtime } from './runtime.ts';

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
