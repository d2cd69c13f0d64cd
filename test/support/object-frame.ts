import { seededRandom } from '#core';
import type { LaneFrame } from '#labels/annotation';

/** An ellipse in a rectangle of a picture, as shares of its sides. */
const objectShare = { middle: [0.5, 0.5], size: [0.2, 0.4] } as const;

/** Draws a noisy yellow ellipse on red as the half-size frame of a camera. */
export function objectFrame(row: number, size: readonly [number, number] = [160, 120]): LaneFrame {
  const [width_px, height_px] = size;
  const random = seededRandom(row + 1);
  const rgb = new Uint8Array(3 * width_px * height_px);
  for (let at = 0; at < width_px * height_px; at++) {
    const inside = isObject(
      ((at % width_px) + 0.5) / width_px,
      (Math.floor(at / width_px) + 0.5) / height_px,
    );
    const colour = inside ? [230, 200, 20] : [230, 20, 20];
    for (let c = 0; c < 3; c++) rgb[3 * at + c] = colour[c] + random.integer(-12, 12);
  }
  const stored_px = [2 * width_px, 2 * height_px] as const;
  return { camera: 'front', row, time_s: row, width_px, height_px, stored_px, rgb };
}

/** Returns `true` if a point, in shares of the image's sides, lies in the object. */
export const isObject = (x: number, y: number): boolean => {
  const { middle, size } = objectShare;
  return (2 * (x - middle[0])) ** 2 / size[0] ** 2 + (2 * (y - middle[1])) ** 2 / size[1] ** 2 <= 1;
};
