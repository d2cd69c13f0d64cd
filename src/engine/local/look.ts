import { AssayError } from '#core';
import type { Recordings } from '../recordings/open-recordings.ts';
import type { SeenDatasets } from '../steps/look/datasets.ts';
import { WorkerLost } from '../workers/worker-thread.ts';
import { AssessThread, type ThreadHooks, type ThreadSource } from './assess-thread.ts';

/** Threads that may be lost over one path, each over another dataset, before looking ends. */
const mostLost = 8;

/** What was found, and the thread that has it open. */
export interface Looked {
  readonly seen: SeenDatasets;
  readonly worker: AssessThread;
}

/**
 * Finds datasets in a thread. One that ends its thread as it is opened is left unopened, and the others are found
 * by another thread. Throws as `findDatasets`, and `unfinished` where threads are lost before anything is opened.
 */
export async function look(
  path: Recordings,
  threads: ThreadSource,
  hooks: LookHooks,
  {
    signal,
    cache_folder,
  }: { readonly signal?: AbortSignal | undefined; readonly cache_folder?: string | undefined } = {},
): Promise<Looked> {
  const cached = cache_folder === undefined ? {} : { cache_folder };
  const ask = async (worker: AssessThread, given_up: GivenUp) => worker.look({ path, given_up, ...cached });
  const { answer, worker } = await askAgain(path, threads, hooks, ask, signal);
  return { seen: answer, worker };
}

type LookHooks = Pick<ThreadHooks, 'onProgress' | 'onListed' | 'onWarning' | 'limits'>;
/** Steps that ended the threads which took them, and how. */
type GivenUp = ReadonlyMap<string, string>;

/** Asks one thread after the other, each without what ended those before. */
export async function askAgain<T>(
  path: Recordings,
  threads: ThreadSource,
  hooks: LookHooks,
  ask: (worker: AssessThread, given_up: GivenUp) => Promise<T>,
  signal?: AbortSignal,
): Promise<{ readonly answer: T; readonly worker: AssessThread }> {
  const given_up = new Map<string, string>();
  for (;;) {
    let step: string | null = null;
    const onStep = (next: string) => {
      step = next;
    };
    const worker = new AssessThread(threads, { ...hooks, onStep });
    const onAbort = () => void worker.stop();
    signal?.addEventListener('abort', onAbort);
    try {
      signal?.throwIfAborted();
      const answer = await ask(worker, given_up);
      // It may have come to its end before it heard.
      signal?.throwIfAborted();
      return { answer, worker };
    } catch (thrown) {
      if (!(thrown instanceof WorkerLost)) await worker.stop();
      signal?.throwIfAborted();
      if (!(thrown instanceof WorkerLost)) throw thrown;
      if (step === null || given_up.has(step) || given_up.size >= mostLost) throw unlooked(path, thrown);
      given_up.set(step, thrown.message);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

function unlooked(path: Recordings, thrown: WorkerLost): AssayError {
  const named = typeof path === 'string' ? { path } : {};
  return new AssayError('unfinished', `the thread that looks at the recordings ${thrown.message}`, {
    ...named,
    advice: 'assess parts of it alone, to find the file that cannot be opened',
  });
}
