import { gridSide } from '#core/episode';
import type { Luma } from './luma.ts';

/** Statistics of one frame's luma; see SampledFrames for what each means. */
export interface FrameStats {
  readonly luma_mean: number;
  readonly luma_std: number;
  readonly dark_ratio: number;
  readonly bright_ratio: number;
  readonly sharpness: number;
  readonly hash_high: number;
  readonly hash_low: number;
}

/** Video black is 16 and white 235; four levels of noise are allowed above black. */
const darkest = 20;
const brightest = 235;

/** Every second row is sample enough, and halves the cost; of few rows all are taken. */
const rowsForAll = 64;
const rowStep = (height: number) => (height > rowsForAll ? 2 : 1);

export function frameStats(luma: Luma): FrameStats {
  const { data, width, height } = luma;
  const histogram = new Uint32Array(256);
  const step = rowStep(height);
  let n = 0;
  for (let y = 0; y < height; y += step) {
    const end = (y + 1) * width;
    for (let i = y * width; i < end; i++) histogram[data[i]]++;
    n += width;
  }
  let sum = 0;
  let squares = 0;
  let dark = 0;
  let bright = 0;
  for (let level = 0; level < 256; level++) {
    const count = histogram[level];
    sum += count * level;
    squares += count * level * level;
    if (level <= darkest) dark += count;
    if (level >= brightest) bright += count;
  }
  const mean = sum / n;
  const hash = differenceHash(luma);
  return {
    luma_mean: mean,
    luma_std: Math.sqrt(Math.max(0, squares / n - mean * mean)),
    dark_ratio: dark / n,
    bright_ratio: bright / n,
    sharpness: laplacianVariance(luma),
    hash_high: hash.high,
    hash_low: hash.low,
  };
}

/**
 * Variance of the four-neighbour Laplacian over inner pixels (Pech-Pacheco et al., ICPR 2000); 0 without any. Of
 * every second row.
 */
export function laplacianVariance(luma: Luma): number {
  const { data, width, height } = luma;
  if (width < 3 || height < 3) return 0;
  let sum = 0;
  let squares = 0;
  for (let y = 1; y < height - 1; y += 2) {
    const end = y * width + width - 1;
    // A row's sums fit 32 bits (1020² x 320 px), and whole numbers of that size are added several times faster.
    let rowSum = 0;
    let rowSquares = 0;
    let left = data[y * width];
    let here = data[y * width + 1];
    for (let i = y * width + 1; i < end; i++) {
      const right = data[i + 1];
      const value = (here << 2) - left - right - data[i - width] - data[i + width];
      rowSum = (rowSum + value) | 0;
      rowSquares = (rowSquares + Math.imul(value, value)) | 0;
      left = here;
      here = right;
    }
    sum += rowSum;
    squares += rowSquares;
  }
  const n = (width - 2) * ((height - 1) >> 1);
  return Math.max(0, squares / n - (sum / n) ** 2);
}

/** Mean |a - b| of two planes of one size, of every `step`-th row; NaN when the sizes differ. */
export function meanDifference(a: Luma, b: Luma, step = 1): number {
  if (a.width !== b.width || a.height !== b.height) return Number.NaN;
  const { width, height } = a;
  const left = a.data;
  const right = b.data;
  let sum = 0;
  let n = 0;
  for (let y = 0; y < height; y += step) {
    const end = (y + 1) * width;
    let rowSum = 0;
    for (let i = y * width; i < end; i++) rowSum = (rowSum + Math.abs(left[i] - right[i])) | 0;
    sum += rowSum;
    n += width;
  }
  return sum / n;
}

/** The same on rows enough for a reduced picture. */
export function sampledDifference(a: Luma, b: Luma): number {
  return meanDifference(a, b, rowStep(a.height));
}

/** dHash: 9 x 8 grid of means of blocks (of some of their rows), one bit for each step to a brighter neighbour on the right (Krawetz 2013). */
export function differenceHash(luma: Luma): { high: number; low: number } {
  const grid = meansOf(luma, 9, 8, 2 * rowStep(luma.height));
  const words = [0, 0];
  for (let bit = 0; bit < 64; bit++) {
    const at = (bit >> 3) * 9 + (bit & 7);
    if (grid[at + 1] > grid[at]) words[bit >> 5] |= 1 << (31 - (bit & 31));
  }
  return { high: words[0] >>> 0, low: words[1] >>> 0 };
}

/** Twice as fine as the grid that is kept: 20 x 15 px of a picture 320 px wide. */
const blocksSide = 2 * gridSide;

/** Means of 16 x 16 blocks, row by row: coarse enough that coding hardly changes them, fine enough that motion does. */
export function blockMeans(luma: Luma): Float64Array {
  return meansOf(luma, blocksSide, blocksSide, rowStep(luma.height));
}

/** The same over 8 x 8, in whole levels. */
export function gridOf(blocks: Float64Array): Uint8Array {
  return Uint8Array.from({ length: gridSide * gridSide }, (_, i) => {
    const at = 2 * Math.floor(i / gridSide) * blocksSide + 2 * (i % gridSide);
    return Math.round(
      (blocks[at] + blocks[at + 1] + blocks[at + blocksSide] + blocks[at + blocksSide + 1]) / 4,
    );
  });
}

/** Means of `columns` x `rows` blocks, row by row, of every `step`-th row of pixels in each. */
function meansOf({ data, width, height }: Luma, columns: number, rows: number, step: number): Float64Array {
  const means = new Float64Array(columns * rows);
  for (let gy = 0; gy < rows; gy++) {
    const y0 = Math.floor((gy * height) / rows);
    const y1 = Math.max(y0 + 1, Math.floor(((gy + 1) * height) / rows));
    for (let gx = 0; gx < columns; gx++) {
      const x0 = Math.floor((gx * width) / columns);
      const x1 = Math.max(x0 + 1, Math.floor(((gx + 1) * width) / columns));
      let sum = 0;
      let lines = 0;
      for (let y = y0; y < y1; y += step, lines++) {
        const end = y * width + x1;
        for (let i = y * width + x0; i < end; i++) sum += data[i];
      }
      means[gy * columns + gx] = sum / ((x1 - x0) * lines);
    }
  }
  return means;
}
