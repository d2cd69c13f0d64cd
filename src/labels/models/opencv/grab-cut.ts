import type { Mat, OpenCv } from './load-open-cv.ts';
import { inOpenCv, loadOpenCv } from './load-open-cv.ts';
import type { RgbPicture } from './rgb-picture.ts';

/** As OpenCV names it, and the longer side that pictures are reduced to before. */
export const grabCutSettings = { iterCount: 5, longest_side_px: 192 } as const;

/** Less of a rectangle than this is a speck: the mixtures ended as one. */
const leastShare = 0.05;

/** Colours of each of the two mixtures that GrabCut tells apart; fewer pixels than that it cannot take. */
const colours = 5;

/** Left, top, width and height in px of the picture. */
export type Rectangle = readonly [left: number, top: number, width: number, height: number];

/** What stands out in a rectangle; a number a pixel of the reduced picture, rows from the top, 1 where it does. */
export interface Cut {
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

/** Tells an object from what is around it, by GrabCut (Rother, Kolmogorov and Blake 2004). */
export class GrabCut {
  readonly #cv: OpenCv;

  private constructor(cv: OpenCv) {
    this.#cv = cv;
  }

  static async create(): Promise<GrabCut> {
    const { cv } = await loadOpenCv();
    return new GrabCut(cv);
  }

  /** Everything outside the rectangle is around it. Null: too small, or hardly anything in it stands out. */
  cut(picture: RgbPicture, rectangle: Rectangle): Cut | null {
    const { width_px, height_px } = picture;
    const scale = Math.min(1, grabCutSettings.longest_side_px / Math.max(width_px, height_px));
    const width = Math.max(1, Math.round(width_px * scale));
    const height = Math.max(1, Math.round(height_px * scale));
    const [left, right] = inside(rectangle[0], rectangle[2], width / width_px, width);
    const [top, bottom] = inside(rectangle[1], rectangle[3], height / height_px, height);
    const pixels = (right - left) * (bottom - top);
    if (right <= left || bottom <= top || pixels < colours || width * height - pixels < colours) return null;
    const bits = inOpenCv(this.#cv, () => {
      const cv = this.#cv;
      const small = this.#reduced(picture, width, height);
      const [mask, around, object] = [new cv.Mat(), new cv.Mat(), new cv.Mat()];
      try {
        // It begins with a choice by chance, which must not depend on what was cut before.
        cv.setRNGSeed(1);
        const where = new cv.Rect(left, top, right - left, bottom - top);
        cv.grabCut(small, mask, where, around, object, grabCutSettings.iterCount, cv.GC_INIT_WITH_RECT);
        // Odd: the object for sure (1) or probably (3).
        return mask.data.map((kind) => kind & 1);
      } finally {
        for (const mat of [small, mask, around, object]) mat.delete();
      }
    });
    const found = bits.reduce((sum, bit) => sum + bit, 0);
    return found >= leastShare * pixels ? { width, height, bits } : null;
  }

  #reduced({ width_px, height_px, rgb }: RgbPicture, width: number, height: number): Mat {
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

/** From and to which pixel of the reduced picture, with at least one on both sides. */
const inside = (from: number, length: number, scale: number, size: number): readonly [number, number] => [
  Math.max(1, Math.floor(from * scale)),
  Math.min(size - 1, Math.ceil((from + length) * scale)),
];
