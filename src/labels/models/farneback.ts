import { callOpenCv, loadOpenCv, type Mat, type OpenCv, type RgbPicture } from './load-open-cv.ts';

/**
 * Parameters by their OpenCV names, from OpenCV's examples. `flags: 0` selects a box filter instead of a Gaussian
 * window.
 */
export const farnebackSettings = {
  flags: 0,
  iterations: 3,
  levels: 3,
  poly_n: 5,
  poly_sigma: 1.2,
  pyr_scale: 0.5,
  winsize: 15,
} as const;

/** Flow between two pictures: displacement of each pixel in px, x and y interleaved, rows from the top. */
export interface PairFlow {
  readonly forward: Float32Array;
  readonly backward: Float32Array;
}

/**
 * Computes dense optical flow between consecutive pictures by Farnebäck's method, on luma. Dispose it to free
 * OpenCV's memory.
 */
export class FarnebackFlow implements Disposable {
  readonly #cv: OpenCv;
  #rgb: Mat | null = null;
  #latest: Mat;
  #spare: Mat;
  readonly #flow: Mat;
  #size: Pick<RgbPicture, 'width_px' | 'height_px'> | null = null;

  private constructor(cv: OpenCv) {
    this.#cv = cv;
    [this.#latest, this.#spare, this.#flow] = [new cv.Mat(), new cv.Mat(), new cv.Mat()];
  }

  /** Creates it, after loading OpenCV if this is the first use in the thread. */
  static async create(): Promise<FarnebackFlow> {
    const { cv } = await loadOpenCv();
    return callOpenCv(cv, () => new FarnebackFlow(cv));
  }

  /** Starts a new sequence: the next picture is not compared with the previous one. */
  reset(): void {
    this.#size = null;
  }

  /**
   * Computes the flow from the previous picture to this one, and back; `null` without a previous picture of the same
   * size.
   */
  next(picture: RgbPicture): PairFlow | null {
    return callOpenCv(this.#cv, () => {
      [this.#latest, this.#spare] = [this.#spare, this.#latest];
      this.#toGrey(picture);
      const { width_px, height_px } = picture;
      const before = this.#size;
      this.#size = { width_px, height_px };
      if (before?.width_px !== width_px || before.height_px !== height_px) return null;
      return {
        forward: this.#between(this.#spare, this.#latest),
        backward: this.#between(this.#latest, this.#spare),
      };
    });
  }

  [Symbol.dispose](): void {
    for (const mat of [this.#rgb, this.#latest, this.#spare, this.#flow]) mat?.delete();
  }

  #toGrey({ width_px, height_px, rgb }: RgbPicture): void {
    const cv = this.#cv;
    if (this.#rgb?.cols !== width_px || this.#rgb.rows !== height_px) {
      this.#rgb?.delete();
      this.#rgb = null;
      this.#rgb = new cv.Mat(height_px, width_px, cv.CV_8UC3);
    }
    this.#rgb.data.set(rgb);
    cv.cvtColor(this.#rgb, this.#latest, cv.COLOR_RGB2GRAY);
  }

  /** Returns a copy, since OpenCV reuses its memory. */
  #between(from: Mat, to: Mat): Float32Array {
    const { pyr_scale, levels, winsize, iterations, poly_n, poly_sigma, flags } = farnebackSettings;
    const settings = [pyr_scale, levels, winsize, iterations, poly_n, poly_sigma, flags] as const;
    this.#cv.calcOpticalFlowFarneback(from, to, this.#flow, ...settings);
    return this.#flow.data32F.slice();
  }
}
