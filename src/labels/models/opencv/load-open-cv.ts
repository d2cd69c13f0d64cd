import { createRequire } from 'node:module';
import { AssayError } from '#core';
import type { OpenCv } from './open-cv.ts';

/** The module before its wasm is compiled. It has a `then` that must never be awaited: it answers itself for ever. */
interface Starting extends Partial<Pick<OpenCv, 'Mat'>> {
  onRuntimeInitialized?: () => void;
}

/** Boxed, since it has a `then`. */
interface Loaded {
  readonly cv: OpenCv;
}

/** Unlike `import`, it awaits nothing of what it finds. */
const require = createRequire(import.meta.url);

let loading: Promise<Loaded> | null = null;

/**
 * OpenCV of this thread, loaded when it is first asked for: half a second and some 100 MB, so never in a thread that
 * answers requests.
 */
export function loadOpenCv(): Promise<Loaded> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Loaded> {
  const before = new Set(lastResorts().map(({ listener }) => listener));
  const starting: Starting = require('@techstark/opencv-js');
  // It ends the process on whatever nobody catches, of the whole program.
  for (const { event, listener } of lastResorts())
    if (!before.has(listener)) process.removeListener(event, listener);
  if (starting.Mat === undefined)
    await new Promise<void>((resolve) => {
      starting.onRuntimeInitialized = resolve;
    });
  return { cv: starting as OpenCv };
}

const lastResorts = () =>
  (['uncaughtException', 'unhandledRejection'] as const).flatMap((event) =>
    process.listeners(event as 'uncaughtException').map((listener) => ({ event, listener })),
  );

/** Works with OpenCV; what it throws, a pointer to text, becomes an error. */
export function inOpenCv<T>(cv: OpenCv, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (typeof thrown !== 'number') throw thrown;
    throw new AssayError('internal', `OpenCV: ${cv.exceptionFromPtr(thrown).msg}`);
  }
}
