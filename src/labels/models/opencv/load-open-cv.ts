import { createRequire } from 'node:module';
import { AssayError } from '#core';

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

/** A matrix in the memory of OpenCV, which is not collected: whoever makes one deletes it. */
export interface Mat {
  readonly rows: number;
  readonly cols: number;
  readonly data: Uint8Array;
  readonly data32F: Float32Array;
  delete(): void;
}

/** What of OpenCV's wasm build is used here, named as there. What fails throws a number: see `inOpenCv`. */
export interface OpenCv {
  readonly Mat: { new (): Mat; new (rows: number, cols: number, type: number): Mat };
  readonly Size: new (width: number, height: number) => object;
  readonly TermCriteria: new (type: number, count: number, epsilon: number) => object;
  readonly Rect: new (left: number, top: number, width: number, height: number) => object;
  readonly CV_8UC1: number;
  readonly CV_8UC3: number;
  readonly CV_32FC2: number;
  readonly COLOR_RGB2GRAY: number;
  readonly INTER_AREA: number;
  readonly GC_INIT_WITH_RECT: number;
  /** Grows and never shrinks; views of it end when it grows. */
  readonly HEAPU8: Uint8Array;
  cvtColor(from: Mat, to: Mat, code: number): void;
  calcOpticalFlowFarneback(
    from: Mat,
    to: Mat,
    flow: Mat,
    pyr_scale: number,
    levels: number,
    winsize: number,
    iterations: number,
    poly_n: number,
    poly_sigma: number,
    flags: number,
  ): void;
  goodFeaturesToTrack(
    image: Mat,
    corners: Mat,
    most: number,
    quality: number,
    distance_px: number,
    mask: Mat,
    block_px: number,
  ): void;
  calcOpticalFlowPyrLK(
    from: Mat,
    to: Mat,
    points: Mat,
    moved: Mat,
    status: Mat,
    error: Mat,
    window: object,
    levels: number,
    criteria: object,
  ): void;
  resize(from: Mat, to: Mat, size: object, x_scale: number, y_scale: number, method: number): void;
  /** Of what is chosen by chance, in this thread. */
  setRNGSeed(seed: number): void;
  grabCut(
    image: Mat,
    mask: Mat,
    rectangle: object,
    around: Mat,
    object: Mat,
    iterations: number,
    mode: number,
  ): void;
  exceptionFromPtr(pointer: number): { readonly msg: string };
}
