import { createRequire } from 'node:module';
import { AssayError } from '#core';

/** The module before its WebAssembly is compiled. Never await it: its `then` resolves to itself forever. */
interface UninitialisedOpenCv extends Partial<Pick<OpenCv, 'Mat'>> {
  onRuntimeInitialized?: () => void;
}

/** Wraps OpenCV, which must not be awaited because it has a `then`. */
interface LoadedOpenCv {
  readonly cv: OpenCv;
}

/** Unlike `import`, `require` does not await the module. */
const require = createRequire(import.meta.url);

let openCvPromise: Promise<LoadedOpenCv> | null = null;

/**
 * Loads OpenCV on the first call in a thread and returns the same promise afterwards. It takes half a second and
 * about 100 MB, so never load it in a thread that serves requests.
 */
export function loadOpenCv(): Promise<LoadedOpenCv> {
  openCvPromise ??= load();
  return openCvPromise;
}

async function load(): Promise<LoadedOpenCv> {
  const before = new Set(crashListeners().map(({ listener }) => listener));
  const starting: UninitialisedOpenCv = require('@techstark/opencv-js');
  // Removes the handlers that it installs, which would end the whole program on any uncaught error.
  for (const { event, listener } of crashListeners())
    if (!before.has(listener)) process.removeListener(event, listener);
  if (starting.Mat === undefined)
    await new Promise<void>((resolve) => {
      starting.onRuntimeInitialized = resolve;
    });
  return { cv: starting as OpenCv };
}

const crashListeners = () =>
  (['uncaughtException', 'unhandledRejection'] as const).flatMap((event) =>
    process.listeners(event as 'uncaughtException').map((listener) => ({ event, listener })),
  );

/**
 * Runs `work` and returns its result; converts exceptions of OpenCV, which are pointers to text, to `internal` errors
 * with its message, and passes on other errors.
 */
export function callOpenCv<T>(cv: OpenCv, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (typeof thrown !== 'number') throw thrown;
    throw new AssayError('internal', `OpenCV: ${cv.exceptionFromPtr(thrown).msg}`);
  }
}

/** A matrix in OpenCV's memory. It is not garbage collected: delete it. */
export interface Mat {
  readonly rows: number;
  readonly cols: number;
  readonly data: Uint8Array;
  readonly data32F: Float32Array;
  delete(): void;
}

/** The part of OpenCV's WebAssembly API used here. Failing calls throw a number; see `callOpenCv`. */
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
  /** The heap; it only grows, which invalidates views of it. */
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
  /** Seeds OpenCV's random numbers in this thread. */
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

/** RGB picture, three bytes per pixel, rows from the top. */
export interface RgbPicture {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
}
