import type { Mat, OpenCv } from './load-open-cv.ts';
import { inOpenCv, loadOpenCv } from './load-open-cv.ts';
import type { RgbPicture } from './rgb-picture.ts';

/** As OpenCV names them; the values of its own examples. Flags: none, so neighbourhoods are weighted alike. */
export const farnebackSettings = {
  flags: 0,
  iterations: 3,
  levels: 3,
  poly_n: 5,
  poly_sigma: 1.2,
  pyr_scale: 0.5,
  winsize: 15,
} as const;

/** Displacement of each pixel in px, x and y in turn, rows from the top: where it is in the other picture. */
export interface PairFlow {
  readonly forward: Float32Array;
  readonly backward: Float32Array;
}

/** Dense flow between pictures that follow one another, by Farnebäck's method on their grey values. */
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

  static async create(): Promise<FarnebackFlow> {
    const { cv } = await loadOpenCv();
    return inOpenCv(cv, () => new FarnebackFlow(cv));
  }

  /** The next picture is not to be compared with the latest. */
  forget(): void {
    this.#size = null;
  }

  /** From the latest picture to this one, and back; null: there is none before it of the same size. */
  next(picture: RgbPicture): PairFlow | null {
    return inOpenCv(this.#cv, () => {
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

  /** A copy: what OpenCV holds is written over. */
  #between(from: Mat, to: Mat): Float32Array {
    const { pyr_scale, levels, winsize, iterations, poly_n, poly_sigma, flags } = farnebackSettings;
    const settings = [pyr_scale, levels, winsize, iterations, poly_n, poly_sigma, flags] as const;
    this.#cv.calcOpticalFlowFarneback(from, to, this.#flow, ...settings);
    return this.#flow.data32F.slice();
  }
}
