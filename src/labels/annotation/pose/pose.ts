import { clamp } from '#core';
import type { Box } from '../detection/boxes.ts';
import type { LaneFrame } from '../lane.ts';

export type Point = readonly [x: number, y: number];

/** Points of a hand or a body, in px of the frame that a model was shown, or of the stored picture. */
export interface Pose {
  /** 0 to 1. */
  readonly score: number;
  readonly points: readonly Point[];
}

/** The smallest box around points. */
export function boxAround(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** A point of the frame in px of the stored picture, at its edge where it lies outside. */
export const storedPoint = (
  [x, y]: Point,
  { width_px, height_px, stored_px: [width, height] }: LaneFrame,
): Point => [clamp((x * width) / width_px, 0, width), clamp((y * height) / height_px, 0, height)];

/** To a tenth of a px. */
export const tenths = (values: readonly number[]): number[] => values.map((px) => Math.round(10 * px) / 10);
