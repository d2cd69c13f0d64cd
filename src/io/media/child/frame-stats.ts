import { gridSide } from '#core/episode';

/** Luma statistics of one frame; see SampledFrames for their meaning. */
export interface FrameStats {
  readonly luma_mean: number;
  readonly luma_std: number;
  readonly dark_ratio: number;
  readonly bright_ratio: number;
  readonly sharpness: number;
  readonly hash_high: number;
  readonly hash_low: number;
}

/**
 * Luma limits of dark and bright pixels. Video black is 16 and white 235; 4 levels of noise are allowed above black.
 */
const maxDarkLuma = 20;
const minBrightLuma = 235;

/** Pictures up to this height use all rows; larger ones use every second row, which halves the cost. */
const maxFullHeight = 64;
const rowStep = (height: number) => (height > maxFullHeight ? 2 : 1);

/** Computes the luma statistics of a frame from all rows, or from every second row of pictures higher than 64 px. */
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
    if (level <= maxDarkLuma) dark += count;
    if (level >= minBrightLuma) bright += count;
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
 * Computes the variance of the four-neighbour Laplacian over inner pixels of every second row (Pech-Pacheco et al.,
 * ICPR 2000); 0 for pictures smaller than 3 x 3.
 */
export function laplacianVariance(luma: Luma): number {
  const { data, width, height } = luma;
  if (width < 3 || height < 3) return 0;
  let sum = 0;
  let squares = 0;
  for (let y = 1; y < height - 1; y += 2) {
    const end = y * width + width - 1;
    // The sums of a row fit into 32 bits (1020² x 320 px); integers of that size are added several times faster.
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

/** Computes the mean absolute difference of two planes over every `step`-th row; NaN if their sizes differ. */
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

/** Computes the mean absolute difference of two reduced planes over the rows that statistics use. */
export function sampledDifference(a: Luma, b: Luma): number {
  return meanDifference(a, b, rowStep(a.height));
}

/**
 * Computes the 64-bit dHash: one bit per pair of neighbouring blocks in a 9 x 8 grid of block means, set if the right
 * one is brighter (Krawetz 2013).
 */
export function differenceHash(luma: Luma): { high: number; low: number } {
  const grid = computeBlockMeans(luma, 9, 8, 2 * rowStep(luma.height));
  const words = [0, 0];
  for (let bit = 0; bit < 64; bit++) {
    const at = (bit >> 3) * 9 + (bit & 7);
    if (grid[at + 1] > grid[at]) words[bit >> 5] |= 1 << (31 - (bit & 31));
  }
  return { high: words[0] >>> 0, low: words[1] >>> 0 };
}

/** Blocks per side, twice as fine as the stored grid: 20 x 15 px for a picture of 320 px width. */
const blocksPerSide = 2 * gridSide;

/**
 * Computes the means of 16 x 16 blocks, row by row: coarse enough to be hardly affected by coding, fine enough to show
 * motion.
 */
export function blockMeans(luma: Luma): Float32Array {
  return computeBlockMeans(luma, blocksPerSide, blocksPerSide, rowStep(luma.height));
}

/** Reduces 16 x 16 block means to 8 x 8, rounded to integers. */
export function reduceToGrid(blocks: Float32Array): Uint8Array {
  return Uint8Array.from({ length: gridSide * gridSide }, (_, i) => {
    const at = 2 * Math.floor(i / gridSide) * blocksPerSide + 2 * (i % gridSide);
    return Math.round(
      (blocks[at] + blocks[at + 1] + blocks[at + blocksPerSide] + blocks[at + blocksPerSide + 1]) / 4,
    );
  });
}

/** Computes the means of `columns` x `rows` blocks, row by row, from every `step`-th pixel row. */
function computeBlockMeans(
  { data, width, height }: Luma,
  columns: number,
  rows: number,
  step: number,
): Float32Array {
  const means = new Float32Array(columns * rows);
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

/** 8-bit luma plane without row padding. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  /** Row-major samples; may be longer than width * height. */
  readonly data: Uint8Array;
}

/** Maximum width in px at which statistics are computed. */
export const reducedWidth = 320;

/**
 * Returns luma scaled down to at most 320 px width by averaging k x k blocks with the smallest fitting k, or the plane
 * itself if it is small enough. Noise is thus not mistaken for sharpness. `into` is reused if its size fits.
 */
export function reduceLuma(luma: Luma, into?: Luma): Luma {
  const k = Math.ceil(luma.width / reducedWidth);
  if (k <= 1) return luma;
  const width = Math.floor(luma.width / k);
  const height = Math.max(1, Math.floor(luma.height / k));
  const fits = into !== undefined && into.width === width && into.height === height;
  const out = fits ? into : { width, height, data: new Uint8Array(width * height) };
  if (k === 2 && luma.height >= 2) halve(luma, out);
  else meanBlocks(luma, out, k, Math.min(k, luma.height));
  return out;
}

function halve(luma: Luma, out: Luma): void {
  const { data, width: stride } = luma;
  let o = 0;
  for (let y = 0; y < out.height; y++) {
    let i = 2 * y * stride;
    for (let x = 0; x < out.width; x++, i += 2) {
      out.data[o++] = (data[i] + data[i + 1] + data[i + stride] + data[i + stride + 1] + 2) >> 2;
    }
  }
}

function meanBlocks(luma: Luma, out: Luma, k: number, rows: number): void {
  const { data, width: stride } = luma;
  const n = k * rows;
  let o = 0;
  for (let y = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++) {
      let sum = n >> 1;
      for (let r = 0; r < rows; r++) {
        const start = (y * rows + r) * stride + x * k;
        for (let c = 0; c < k; c++) sum += data[start + c];
      }
      out.data[o++] = (sum / n) | 0;
    }
  }
}
