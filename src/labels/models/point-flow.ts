import { callOpenCv, loadOpenCv, type Mat, type OpenCv, type RgbPicture } from './load-open-cv.ts';

/** Parameters by their OpenCV names. `criteria`: stop after 30 iterations, or at a step below 0.01 px. */
export const pointFlowSettings = {
  blockSize: 7,
  criteria: [3, 30, 0.01],
  maxLevel: 3,
  minDistance: 10,
  qualityLevel: 0.02,
  winSize: 21,
} as const;

/** A point in px; pixel centres have integer coordinates. */
export type Point = readonly [x: number, y: number];

/** Tracks corner points between pictures by the Lucas-Kanade method. Dispose it to free OpenCV's memory. */
export class PointFlow implements Disposable {
  readonly #cv: OpenCv;
  #latest: Mat;
  #before: Mat;

  private constructor(cv: OpenCv) {
    this.#cv = cv;
    [this.#latest, this.#before] = [new cv.Mat(), new cv.Mat()];
  }

  /** Creates it, after loading OpenCV if this is the first use in the thread. */
  static async create(): Promise<PointFlow> {
    const { cv } = await loadOpenCv();
    return callOpenCv(cv, () => new PointFlow(cv));
  }

  /** Adds a picture; the previous one becomes the reference. */
  addPicture({ width_px, height_px, rgb }: RgbPicture): void {
    callOpenCv(this.#cv, () => {
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
   * Returns the positions in the latest picture of points of the previous one, in the same order; `null` for a point
   * that is not found or left the picture, for all if the sizes differ. A point counts as found if it is tracked back
   * to within 1 px of its start.
   */
  track(points: readonly Point[]): readonly (Point | null)[] {
    const { rows, cols } = this.#latest;
    if (points.length === 0 || rows !== this.#before.rows || cols !== this.#before.cols)
      return points.map(() => null);
    return callOpenCv(this.#cv, () => {
      const forward = this.#between(this.#before, this.#latest, points);
      const backward = this.#between(this.#latest, this.#before, forward.points);
      return forward.points.map(([x, y], at) => {
        const [from, to] = [points[at], backward.points[at]];
        const isKept =
          forward.found[at] && backward.found[at] && Math.hypot(from[0] - to[0], from[1] - to[1]) <= 1;
        const isInside = x >= 0 && y >= 0 && x <= cols - 1 && y <= rows - 1;
        return isKept && isInside ? ([x, y] as const) : null;
      });
    });
  }

  /**
   * Finds at most `max` corners of the latest picture, strongest first, at least `minDistance` px from each other and
   * from `taken`.
   */
  findCorners(max: number, taken: readonly Point[]): readonly Point[] {
    return callOpenCv(this.#cv, () => {
      const { qualityLevel, minDistance, blockSize } = pointFlowSettings;
      const [found, everywhere] = [new this.#cv.Mat(), new this.#cv.Mat()];
      try {
        // Ask for more, since corners near taken points are dropped here.
        const maxCorners = max + taken.length;
        const settings = [maxCorners, qualityLevel, minDistance, everywhere, blockSize] as const;
        this.#cv.goodFeaturesToTrack(this.#latest, found, ...settings);
        const isFree = ([x, y]: Point) => !taken.some(([ox, oy]) => Math.hypot(x - ox, y - oy) < minDistance);
        return toPoints(found).filter(isFree).slice(0, max);
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
    const input = new cv.Mat(points.length, 1, cv.CV_32FC2);
    const [moved, status, error] = [new cv.Mat(), new cv.Mat(), new cv.Mat()];
    try {
      input.data32F.set(points.flat());
      const settings = [new cv.Size(winSize, winSize), maxLevel, new cv.TermCriteria(...criteria)] as const;
      cv.calcOpticalFlowPyrLK(from, to, input, moved, status, error, ...settings);
      return { points: toPoints(moved), found: Array.from(status.data, (one) => one === 1) };
    } finally {
      for (const mat of [input, moved, status, error]) mat.delete();
    }
  }
}

const toPoints = ({ rows, data32F }: Mat): readonly Point[] =>
  Array.from({ length: rows }, (_, at) => [data32F[2 * at], data32F[2 * at + 1]] as const);
