import type { Luma } from '../luma.ts';

/** Brings pictures of more than 8 bits to 8. */
export interface LumaScale {
  luma(values: Uint16Array | Float32Array, width: number, height: number): Luma;
}

/**
 * Brings 16-bit and floating-point pictures (depth, deep grey) to 8 bits with one factor for a whole camera: the
 * first picture's largest value, rounded up to a power of two, becomes 256. A factor of each picture's own would show
 * differences that are none.
 */
export class DeepScale implements LumaScale {
  #factor: number | null = null;

  luma(values: ArrayLike<number>, width: number, height: number): Luma {
    const n = width * height;
    this.#factor ??= factorFor(values, n);
    const data = new Uint8Array(n);
    for (let i = 0; i < n; i++) {
      const value = values[i] * this.#factor;
      data[i] = value >= 255 ? 255 : value > 0 ? value : 0;
    }
    return { width, height, data };
  }
}

/** Values that are not finite mean that nothing was measured there; they become 0. */
function factorFor(values: ArrayLike<number>, n: number): number {
  let largest = 0;
  for (let i = 0; i < n; i++)
    if (values[i] > largest && values[i] < Number.POSITIVE_INFINITY) largest = values[i];
  return largest === 0 ? 1 : 256 / 2 ** Math.ceil(Math.log2(largest + Number.EPSILON));
}
