import type { Picture } from './picture-tensor.ts';

/** Features of a frame that are compared with the next frame. */
export interface FrameFeatures {
  readonly grey: GreyImage;
  readonly colours: Float64Array;
}

/** Block size for downscaling, in px. */
const downscale_px = 4;

/** Computes the scaled-down luma and the colour histogram of a picture, for `compareFrames`. */
export const computeFeatures = (picture: Picture): FrameFeatures => ({
  grey: toGrey(picture, downscale_px),
  colours: colourHistogram(picture),
});

/** Thresholds for a scene cut: colours differ, and blocks are not found again. */
const cutThresholds = { minColourDistance: 0.4, minResidual: 12, maxAgreement: 0.5 } as const;

/** Change between two frames of a camera. */
export interface FrameChange {
  readonly shift: PictureShift;
  /** Whether the second frame shows another scene. */
  readonly isCut: boolean;
}

/** Estimates the shift between two frames and whether a scene cut separates them; `null` if their sizes differ. */
export function compareFrames(from: FrameFeatures, to: FrameFeatures): FrameChange | null {
  if (from.grey.width !== to.grey.width || from.grey.height !== to.grey.height) return null;
  const shift = estimateShift(from.grey, to.grey);
  const isUnmatched =
    shift.blocks === 0 ||
    (shift.residual > cutThresholds.minResidual && shift.agreement < cutThresholds.maxAgreement);
  return {
    shift,
    isCut: isUnmatched && colourDistance(from.colours, to.colours) > cutThresholds.minColourDistance,
  };
}

/** Histogram levels per colour channel. */
const levelsPerChannel = 4;

/** Returns the colour histogram of a picture, normalised to 1. */
function colourHistogram({ rgb }: Pick<Picture, 'rgb'>): Float64Array {
  const shares = new Float64Array(levelsPerChannel ** 3);
  const pixels = rgb.length / 3;
  for (let at = 0; at < rgb.length; at += 3)
    shares[
      ((rgb[at] >> 6) * levelsPerChannel + (rgb[at + 1] >> 6)) * levelsPerChannel + (rgb[at + 2] >> 6)
    ] += 1 / pixels;
  return shares;
}

/** Returns the histogram distance, 0 to 1: 1 minus the histogram intersection. */
function colourDistance(a: Float64Array, b: Float64Array): number {
  let common = 0;
  for (let at = 0; at < a.length; at++) common += Math.min(a[at], b[at]);
  return Math.max(0, 1 - common);
}

/** Displacement of the whole picture between two frames. */
interface PictureShift {
  /** Number of textured blocks; with 0 the other values mean nothing. */
  readonly blocks: number;
  /** Median displacement, as a fraction of the picture width. */
  readonly x: number;
  readonly y: number;
  /** Fraction of blocks within `maxDeviation_px` of the median displacement. */
  readonly agreement: number;
  /** Mean remaining difference between matched blocks, in grey levels. */
  readonly residual: number;
}

/** Block matching: block size in px, number of blocks, and search radius in px. */
const blockSearch = { side: 8, across: 6, down: 5, reach: 8 } as const;
/** Minimum standard deviation of a block's grey levels to be textured. */
const minTexture = 5;
const maxDeviation_px = 1.5;

/** Estimates the displacement of the whole picture by block matching: the median over textured blocks. */
function estimateShift(from: GreyImage, to: GreyImage): PictureShift {
  const found = blockCorners(from).flatMap((place) => matchBlock(from, to, place) ?? []);
  if (found.length === 0) return { blocks: 0, x: 0, y: 0, agreement: 0, residual: 0 };
  const x = upperMedian(found.map((one) => one.dx));
  const y = upperMedian(found.map((one) => one.dy));
  const agreement =
    found.filter(({ dx, dy }) => Math.hypot(dx - x, dy - y) <= maxDeviation_px).length / found.length;
  const residual = found.reduce((sum, one) => sum + one.residual, 0) / found.length;
  return { blocks: found.length, x: x / from.width, y: y / from.width, agreement, residual };
}

type BlockCorner = readonly [x: number, y: number];

/** Returns the top left corners of evenly spread blocks. */
function blockCorners({ width, height }: GreyImage): BlockCorner[] {
  if (width < blockSearch.side || height < blockSearch.side) return [];
  const even = (count: number, size: number) =>
    Array.from({ length: count }, (_, at) => Math.round((at * (size - blockSearch.side)) / (count - 1)));
  return even(blockSearch.down, height).flatMap((y) =>
    even(blockSearch.across, width).map((x) => [x, y] as const),
  );
}

interface Match {
  readonly dx: number;
  readonly dy: number;
  readonly residual: number;
}

/** Returns the best match of a block, the nearest among equals; `null` if the block has no texture. */
function matchBlock(from: GreyImage, to: GreyImage, [x, y]: BlockCorner): Match | null {
  if (blockTexture(from, x, y) < minTexture) return null;
  let best: Match = {
    dx: 0,
    dy: 0,
    residual: blockDifference(from, to, x, y, 0, 0, Number.POSITIVE_INFINITY),
  };
  for (let dy = -blockSearch.reach; dy <= blockSearch.reach; dy++)
    for (let dx = -blockSearch.reach; dx <= blockSearch.reach; dx++) {
      const inside =
        x + dx >= 0 &&
        y + dy >= 0 &&
        x + dx + blockSearch.side <= to.width &&
        y + dy + blockSearch.side <= to.height;
      if (!inside) continue;
      const residual = blockDifference(from, to, x, y, dx, dy, best.residual);
      const isNearer = Math.hypot(dx, dy) < Math.hypot(best.dx, best.dy);
      if (residual < best.residual || (residual === best.residual && isNearer)) best = { dx, dy, residual };
    }
  return best;
}

function blockTexture({ width, values }: GreyImage, x: number, y: number): number {
  let [sum, squares] = [0, 0];
  for (let v = 0; v < blockSearch.side; v++)
    for (let u = 0; u < blockSearch.side; u++) {
      const value = values[(y + v) * width + x + u];
      sum += value;
      squares += value * value;
    }
  const count = blockSearch.side ** 2;
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}

/** Returns the mean absolute difference of two blocks; Infinity as soon as it exceeds `max`. */
function blockDifference(
  from: GreyImage,
  to: GreyImage,
  x: number,
  y: number,
  dx: number,
  dy: number,
  maxDifference: number,
): number {
  const limit = maxDifference * blockSearch.side ** 2;
  let sum = 0;
  for (let v = 0; v < blockSearch.side; v++) {
    const a = (y + v) * from.width + x;
    const b = (y + dy + v) * to.width + x + dx;
    for (let u = 0; u < blockSearch.side; u++) sum += Math.abs(from.values[a + u] - to.values[b + u]);
    if (sum > limit) return Number.POSITIVE_INFINITY;
  }
  return sum / blockSearch.side ** 2;
}

const upperMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** A grey picture, rows from the top, values 0 to 255. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** Frame size for picture statistics, which need no detail. */
export const statisticsSize = { longest_side_px: 320 } as const;

/**
 * Converts a picture to luma (Rec. 601, 0 to 255), averaged over blocks of `step` px; an incomplete block at the
 * right or lower edge is dropped.
 */
export function toGrey({ width_px, height_px, rgb }: Picture, step = 1): GreyImage {
  const width = Math.max(1, Math.floor(width_px / step));
  const height = Math.max(1, Math.floor(height_px / step));
  const values = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      let count = 0;
      for (let v = step * y; v < Math.min(height_px, step * y + step); v++)
        for (let u = step * x; u < Math.min(width_px, step * x + step); u++) {
          const at = 3 * (v * width_px + u);
          sum += 0.299 * rgb[at] + 0.587 * rgb[at + 1] + 0.114 * rgb[at + 2];
          count++;
        }
      values[y * width + x] = sum / count;
    }
  return { width, height, values };
}

/** Returns the mean; 0 for an empty array. */
export function meanValue(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / Math.max(1, values.length);
}

/**
 * Measures sharpness as variance of the Laplacian (Pech-Pacheco et al. 2000) and clutter as fraction of pixels with a
 * gradient over `minEdgeGradient` (Mack and Oliva 2004). Both are 0 for a picture without inner pixels.
 */
export function measureStructure({ width, height, values }: GreyImage): {
  readonly laplacian_variance: number;
  readonly edge_fraction: number;
} {
  let [sum, squares, edges, count] = [0, 0, 0, 0];
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const [left, right, up, down] = [
        values[at - 1],
        values[at + 1],
        values[at - width],
        values[at + width],
      ];
      const laplacian = left + right + up + down - 4 * values[at];
      sum += laplacian;
      squares += laplacian * laplacian;
      if (Math.hypot(right - left, down - up) / 2 > minEdgeGradient) edges++;
      count++;
    }
  if (count === 0) return { laplacian_variance: 0, edge_fraction: 0 };
  return { laplacian_variance: squares / count - (sum / count) ** 2, edge_fraction: edges / count };
}

const minEdgeGradient = 12;
