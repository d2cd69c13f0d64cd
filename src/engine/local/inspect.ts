import { AssayError } from '#core';
import type { Recipe } from '#formats/recipes';
import type { Recordings } from '../recordings/open-recordings.ts';
import type { Inspection } from '../steps/inspect/inspect.ts';
import { askAgain } from './look.ts';
import { ThreadPool } from './threads/thread-pool.ts';

export interface InspectOptions {
  readonly signal?: AbortSignal;
  /** Also says what it would make of the first recording, which is then read whole where that is not long. */
  readonly recipe?: Recipe;
}

/** Says what is under `path`, as a thread that can be ended finds it. Throws as `assess` does, `cancelled` after `signal`. */
export async function inspect(
  path: Recordings,
  { signal, recipe }: InspectOptions = {},
): Promise<Inspection> {
  const threads = new ThreadPool();
  const own = recipe === undefined ? {} : { recipe };
  try {
    const hooks = { onProgress: () => {} };
    const { answer, worker } = await askAgain(
      path,
      threads,
      hooks,
      (thread, given_up) => thread.inspect({ path, given_up, ...own }),
      signal,
    );
    await worker.stop();
    return answer;
  } catch (thrown) {
    throw signal?.aborted === true ? new AssayError('cancelled', 'inspecting was stopped') : thrown;
  } finally {
    await threads.dispose();
  }
}
