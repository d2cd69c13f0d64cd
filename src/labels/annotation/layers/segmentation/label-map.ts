import { encodeRle, type Mask, type Rle } from '../../masks/rle.ts';

/** A class in a picture, and the pixels that are its own. */
export interface LabelledPixels {
  readonly label: string;
  readonly pixels: number;
  readonly rle: Rle;
}

/** The class of every pixel of a stored picture. */
export class LabelMap {
  readonly #width_px: number;
  readonly #height_px: number;
  /** By pixel, rows from the top: place of its class in `#labels`, counted from 1; 0: none. */
  readonly #classes: Uint16Array;
  readonly #labels: string[] = [];

  constructor([width_px, height_px]: readonly [number, number]) {
    [this.#width_px, this.#height_px] = [width_px, height_px];
    this.#classes = new Uint16Array(width_px * height_px);
  }

  /** What was painted before gives way. */
  paint(label: string, { left, top, width, height, bits }: Mask): void {
    let own = this.#labels.indexOf(label) + 1;
    if (own === 0) own = this.#labels.push(label);
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        if (bits[row * width + column] === 1)
          this.#classes[(top + row) * this.#width_px + left + column] = own;
  }

  /** Share of the pixels that have a class. */
  get labelled(): number {
    let count = 0;
    for (const own of this.#classes) if (own > 0) count++;
    return count / this.#classes.length;
  }

  /** Share of the pixels that have a class, and the same one in a picture of the same size; 0: the sizes differ. */
  confirmedBy(other: LabelMap): number {
    if (other.#width_px !== this.#width_px || other.#height_px !== this.#height_px) return 0;
    const same = [0, ...this.#labels.map((label) => other.#labels.indexOf(label) + 1)];
    let count = 0;
    for (let at = 0; at < this.#classes.length; at++) {
      const own = this.#classes[at];
      if (own > 0 && same[own] === other.#classes[at]) count++;
    }
    return count / this.#classes.length;
  }

  /** Classes that have pixels, in the order of their names. */
  tell(): readonly LabelledPixels[] {
    const size = { width_px: this.#width_px, height_px: this.#height_px };
    return [...this.#labels].sort().flatMap((label) => {
      const own = this.#labels.indexOf(label) + 1;
      const bits = new Uint8Array(this.#classes.length);
      let pixels = 0;
      for (let at = 0; at < bits.length; at++)
        if (this.#classes[at] === own) {
          bits[at] = 1;
          pixels++;
        }
      const mask = { left: 0, top: 0, width: size.width_px, height: size.height_px, bits };
      return pixels === 0 ? [] : [{ label, pixels, rle: encodeRle(mask, size) }];
    });
  }
}
