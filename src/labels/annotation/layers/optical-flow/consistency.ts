import { clamp } from '#core';
import type { PairFlow } from '#labels/models';

interface Size {
  readonly width_px: number;
  readonly height_px: number;
}

/** What flow there and back says of itself, in shares of all pixels. */
interface Consistency {
  /** Come back to within a pixel of where they started. */
  readonly consistent: number;
  /** Are led out of the picture, so that nothing leads back. */
  readonly left: number;
}

const within_px = 1;

/** The way back is read between the pixels around where the way there ends, each weighted by its nearness. */
export function consistencyOf({ forward, backward }: PairFlow, { width_px, height_px }: Size): Consistency {
  let consistent = 0;
  let left = 0;
  for (let y = 0; y < height_px; y++)
    for (let x = 0; x < width_px; x++) {
      const at = 2 * (y * width_px + x);
      const [dx, dy] = [forward[at], forward[at + 1]];
      if (!isWithin(x + dx, width_px) || !isWithin(y + dy, height_px)) {
        left++;
        continue;
      }
      const to_x = clamp(x + dx, 0, width_px - 1);
      const to_y = clamp(y + dy, 0, height_px - 1);
      const [x0, y0] = [Math.floor(to_x), Math.floor(to_y)];
      const right = x0 + 1 < width_px ? 2 : 0;
      const below = y0 + 1 < height_px ? 2 * width_px : 0;
      const corner = 2 * (y0 * width_px + x0);
      const [fx, fy] = [to_x - x0, to_y - y0];
      const back = (axis: 0 | 1): number => {
        const i = corner + axis;
        const above = backward[i] * (1 - fx) + backward[i + right] * fx;
        const under = backward[i + below] * (1 - fx) + backward[i + below + right] * fx;
        return above * (1 - fy) + under * fy;
      };
      if (Math.hypot(dx + back(0), dy + back(1)) <= within_px) consistent++;
    }
  const pixels = width_px * height_px;
  return { consistent: consistent / pixels, left: left / pixels };
}

/** A pixel reaches half of its size beyond its centre. */
const isWithin = (at: number, size: number): boolean => at >= -0.5 && at <= size - 0.5;

/** Mean length of the displacements, in px. */
export function meanLength_px(flow: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < flow.length; at += 2) sum += Math.hypot(flow[at], flow[at + 1]);
  return sum / (flow.length / 2);
}
