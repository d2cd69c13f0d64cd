import { callOpenCv, loadOpenCv, type Mat, type OpenCv, type RgbPicture } from './load-open-cv.ts';

/** Iterations by OpenCV's name, and the longer side that pictures are scaled down to. */
export const grabCutSettings = { iterCount: 5, longest_side_px: 192 } as const;

/** Minimum fraction of the rectangle that an object must fill; smaller results are specks of a failed separation. */
const minObjectFraction = 0.05;

/** Minimum pixels inside and outside the rectangle: GrabCut fits mixtures of five colours to each. */
const minSidePixels = 5;

/** A rectangle: left, top, width and height in px of the picture. */
export type Rectangle = readonly [left: number, top: number, width: number, height: number];

/** Mask on the scaled-down picture: one byte per pixel, rows from the top, 1 for the object. */
export interface CutMask {
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

/** Separates an object from its surroundings by GrabCut (Rother, Kolmogorov and Blake 2004). */
export class GrabCut {
  readonly #cv: OpenCv;

  private constructor(cv: OpenCv) {
    this.#cv = cv;
  }

  /** Creates it, after loading OpenCV if this is the first use in the thread. */
  static async create(): Promise<GrabCut> {
    const { cv } = await loadOpenCv();
    return new GrabCut(cv);
  }

  /**
   * Returns the mask of the object in the rectangle, at the size of the scaled-down picture; `null` if the rectangle
   * is too small or hardly contains an object.
   */
  cut(picture: RgbPicture, rectangle: Rectangle): CutMask | null {
    const { width_px, height_px } = picture;
    const scale = Math.min(1, grabCutSettings.longest_side_px / Math.max(width_px, height_px));
    const width = Math.max(1, Math.round(width_px * scale));
    const height = Math.max(1, Math.round(height_px * scale));
    const [left, right] = innerRange(rectangle[0], rectangle[2], width / width_px, width);
    const [top, bottom] = innerRange(rectangle[1], rectangle[3], height / height_px, height);
    const pixels = (right - left) * (bottom - top);
    if (right <= left || bottom <= top || pixels < minSidePixels || width * height - pixels < minSidePixels)
      return null;
    const bits = callOpenCv(this.#cv, () => {
      const cv = this.#cv;
      const small = this.#scaleDown(picture, width, height);
      const [mask, around, object] = [new cv.Mat(), new cv.Mat(), new cv.Mat()];
      try {
        // Fixed seed: the random initialisation must not depend on earlier calls.
        cv.setRNGSeed(1);
        const rectangle = new cv.Rect(left, top, right - left, bottom - top);
        cv.grabCut(small, mask, rectangle, around, object, grabCutSettings.iterCount, cv.GC_INIT_WITH_RECT);
        // Odd values mean object: certain (1) or probable (3).
        return mask.data.map((kind) => kind & 1);
      } finally {
        for (const mat of [small, mask, around, object]) mat.delete();
      }
    });
    const objectPixels = bits.reduce((sum, bit) => sum + bit, 0);
    return objectPixels >= minObjectFraction * pixels ? { width, height, bits } : null;
  }

  #scaleDown({ width_px, height_px, rgb }: RgbPicture, width: number, height: number): Mat {
    const cv = this.#cv;
    const full = new cv.Mat(height_px, width_px, cv.CV_8UC3);
    try {
      full.data.set(rgb);
      const small = new cv.Mat();
      cv.resize(full, small, new cv.Size(width, height), 0, 0, cv.INTER_AREA);
      return small;
    } finally {
      full.delete();
    }
  }
}

/** Returns the range of scaled-down pixels that a side covers, leaving at least one pixel on both ends. */
const innerRange = (from: number, length: number, scale: number, size: number): readonly [number, number] => [
  Math.max(1, Math.floor(from * scale)),
  Math.min(size - 1, Math.ceil((from + length) * scale)),
];
