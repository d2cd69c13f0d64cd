import { AssayError } from '#core';
import type { Recipe } from '#formats/recipes';
import type { Recordings } from '../open-recordings.ts';
import type { Inspection } from '../steps/inspect.ts';
import { doInThread } from '../threads/path-threads.ts';

/** Options of `inspect`. */
export interface InspectOptions {
  readonly signal?: AbortSignal;
  /** Also shows what the recipe would cut from the first recording, which is then read whole if it is not long. */
  readonly recipe?: Recipe;
}

/** Describes the datasets under `path`, in a worker thread. Throws as `assess`, `cancelled` after `signal`. */
export async function inspect(
  path: Recordings,
  { signal, recipe }: InspectOptions = {},
): Promise<Inspection> {
  const own = recipe === undefined ? {} : { recipe };
  try {
    return await doInThread({ type: 'inspect', recordings: path, ...own }, {}, signal);
  } catch (thrown) {
    throw signal?.aborted === true ? new AssayError('cancelled', 'inspection stopped') : thrown;
  }
}
