import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A server that runs in or below Vitest's main process for all test files of a run. */
export interface SharedResource {
  /** Connection details: addresses, tokens, folders. */
  readonly facts: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const socketIn = (folder: string): string => join(folder, 'resources.sock');

/**
 * In Vitest's main process: answers over a socket in `folder` with the facts of a resource, which starts when the first
 * test file asks for it. Returns a function that stops what was started.
 */
export function offerResources(
  folder: string,
  starts: Readonly<Record<string, () => Promise<SharedResource>>>,
): () => Promise<void> {
  const started = new Map<string, Promise<SharedResource>>();
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '/').slice(1);
    const start = starts[name] ?? (() => Promise.reject(new Error(`there is no shared resource ${name}`)));
    if (!started.has(name)) started.set(name, start());
    const answer = await started.get(name)!.then(
      ({ facts }) => ({ facts }),
      (thrown: Error) => ({ failed: thrown.message }),
    );
    response.end(JSON.stringify(answer));
  }).listen(socketIn(folder));
  server.unref();
  return async () => {
    server.close();
    await Promise.allSettled([...started.values()].map(async (resource) => (await resource).stop()));
  };
}

/** Returns the connection details of a shared resource, which starts if it has not. Throws if it cannot. */
export async function sharedResource(name: string): Promise<SharedResource['facts']> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socketPath = socketIn(process.env.ASSAY_TEST_RUN_FOLDER ?? '');
  // A connection of its own: the server may close a kept one in the moment in which it is used again.
  get({ socketPath, path: `/${name}`, agent: false }, (answer) => text(answer).then(resolve, reject)).once(
    'error',
    reject,
  );
  const answer = JSON.parse(await promise);
  if ('failed' in answer) throw new Error(`${name} did not start: ${answer.failed}`);
  return answer.facts;
}
