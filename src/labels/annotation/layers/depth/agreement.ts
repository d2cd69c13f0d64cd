import { type DepthMap, rangeOf } from './depth-map.ts';

/** Depths of neighbouring frames agree that differ by less than this share. */
const tolerance = 0.1;

/** Counts how many pixels have a depth that the frame before agrees with, camera by camera. */
export class Agreement {
  #before: DepthMap | null = null;
  #pixels = 0;
  #agreeing = 0;
  readonly #relative: boolean;

  /** `relative`: values have no unit, and are compared by their place in the range of their frame. */
  constructor(relative: boolean) {
    this.#relative = relative;
  }

  /** The next frame of a camera; a camera's first is compared with none. */
  add(map: DepthMap): void {
    const own = this.#relative ? inRange(map) : map;
    const before = this.#before;
    this.#before = own;
    if (before === null || before.width_px !== own.width_px || before.height_px !== own.height_px) return;
    this.#pixels += own.values.length;
    for (let i = 0; i < own.values.length; i++) {
      const [a, b] = [own.values[i], before.values[i]];
      const allowed = this.#relative ? tolerance : tolerance * Math.max(a, b);
      if (Math.abs(a - b) <= allowed) this.#agreeing++;
    }
  }

  nextCamera(): void {
    this.#before = null;
  }

  /** Null where no frame has a neighbour. */
  get fraction(): number | null {
    return this.#pixels === 0 ? null : this.#agreeing / this.#pixels;
  }
}

function inRange({ width_px, height_px, values }: DepthMap): DepthMap {
  const { least, greatest } = rangeOf(values);
  const width = greatest > least ? greatest - least : 1;
  return { width_px, height_px, values: values.map((value) => (value - least) / width) };
}
