import type { Mat, OpenCv } from './load-open-cv.ts';
import { inOpenCv, loadOpenCv } from './load-open-cv.ts';
import type { RgbPicture } from './rgb-picture.ts';

/** As OpenCV names them. `criteria`: 30 rounds, or a step below a hundredth of a px. */
export const pointFlowSettings = {
  blockSize: 7,
  criteria: [3, 30, 0.01],
  maxLevel: 3,
  minDistance: 10,
  qualityLevel: 0.02,
  winSize: 21,
} as const;

/** Middle of a pixel is at whole numbers. */
export type Point = readonly [x: number, y: number];

/** Points that can be told from their surroundings, followed from picture to picture by Lucas and Kanade's method. */
export class PointFlow implements Disposable {
  readonly #cv: OpenCv;
  #latest: Mat;
  #before: Mat;

  private constructor(cv: OpenCv) {
    this.#cv = cv;
    [this.#latest, this.#before] = [new cv.Mat(), new cv.Mat()];
  }

  static async create(): Promise<PointFlow> {
    const { cv } = await loadOpenCv();
    return inOpenCv(cv, () => new PointFlow(cv));
  }

  /** The next picture; the latest becomes the one before it. */
  show({ width_px, height_px, rgb }: RgbPicture): void {
    inOpenCv(this.#cv, () => {
      [this.#latest, this.#before] = [this.#before, this.#latest];
      const colours = new this.#cv.Mat(height_px, width_px, this.#cv.CV_8UC3);
      try {
        colours.data.set(rgb);
        this.#cv.cvtColor(colours, this.#latest, this.#cv.COLOR_RGB2GRAY);
      } finally {
        colours.delete();
      }
    });
  }

  /**
   * Where points of the picture before are in the latest one; null for those that are lost: not found, or not led back to
   * within a px of where they were. Nothing where the two are of different sizes.
   */
  follow(points: readonly Point[]): readonly (Point | null)[] {
    const { rows, cols } = this.#latest;
    if (points.length === 0 || rows !== this.#before.rows || cols !== this.#before.cols)
      return points.map(() => null);
    return inOpenCv(this.#cv, () => {
      const there = this.#between(this.#before, this.#latest, points);
      const back = this.#between(this.#latest, this.#before, there.points);
      return there.points.map(([x, y], at) => {
        const [from, to] = [points[at], back.points[at]];
        const isKept = there.found[at] && back.found[at] && Math.hypot(from[0] - to[0], from[1] - to[1]) <= 1;
        const isInside = x >= 0 && y >= 0 && x <= cols - 1 && y <= rows - 1;
        return isKept && isInside ? ([x, y] as const) : null;
      });
    });
  }

  /** Corners of the latest picture, the clearest first, none nearer to another or to those that are given than `minDistance`. */
  corners(most: number, taken: readonly Point[]): readonly Point[] {
    return inOpenCv(this.#cv, () => {
      const { qualityLevel, minDistance, blockSize } = pointFlowSettings;
      const [found, everywhere] = [new this.#cv.Mat(), new this.#cv.Mat()];
      try {
        // As many more as may be taken: those are left out here.
        const asked = most + taken.length;
        const settings = [asked, qualityLevel, minDistance, everywhere, blockSize] as const;
        this.#cv.goodFeaturesToTrack(this.#latest, found, ...settings);
        const isFree = ([x, y]: Point) => !taken.some(([ox, oy]) => Math.hypot(x - ox, y - oy) < minDistance);
        return pointsOf(found).filter(isFree).slice(0, most);
      } finally {
        found.delete();
        everywhere.delete();
      }
    });
  }

  [Symbol.dispose](): void {
    this.#latest.delete();
    this.#before.delete();
  }

  #between(
    from: Mat,
    to: Mat,
    points: readonly Point[],
  ): { readonly points: readonly Point[]; readonly found: readonly boolean[] } {
    const cv = this.#cv;
    const { winSize, maxLevel, criteria } = pointFlowSettings;
    const given = new cv.Mat(points.length, 1, cv.CV_32FC2);
    const [moved, status, error] = [new cv.Mat(), new cv.Mat(), new cv.Mat()];
    try {
      given.data32F.set(points.flat());
      const settings = [new cv.Size(winSize, winSize), maxLevel, new cv.TermCriteria(...criteria)] as const;
      cv.calcOpticalFlowPyrLK(from, to, given, moved, status, error, ...settings);
      return { points: pointsOf(moved), found: Array.from(status.data, (one) => one === 1) };
    } finally {
      for (const mat of [given, moved, status, error]) mat.delete();
    }
  }
}

const pointsOf = ({ rows, data32F }: Mat): readonly Point[] =>
  Array.from({ length: rows }, (_, at) => [data32F[2 * at], data32F[2 * at + 1]] as const);
