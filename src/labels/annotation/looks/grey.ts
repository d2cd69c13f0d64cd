import type { Picture } from '../pictures/placement.ts';

/** A small grey picture, rows from the top, 0 to 255. */
export interface Grey {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** Frames that are looked at as a whole, not for what is in them. */
export const look = { longest_side_px: 320 } as const;

/** The luma of a picture (Rec. 601); of `step` px each way the mean. */
export function greyOf({ width_px, height_px, rgb }: Picture, step = 1): Grey {
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

export function meanOf(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / Math.max(1, values.length);
}

/**
 * How much fine structure there is: variance of the Laplacian (Pech-Pacheco and others 2000), and the share of pixels with
 * an edge, whose gradient is above `edge` levels a px: a measure of clutter (Mack and Oliva 2004).
 */
export function structureOf({ width, height, values }: Grey): {
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
      if (Math.hypot(right - left, down - up) / 2 > edge) edges++;
      count++;
    }
  if (count === 0) return { laplacian_variance: 0, edge_fraction: 0 };
  return { laplacian_variance: squares / count - (sum / count) ** 2, edge_fraction: edges / count };
}

const edge = 12;
