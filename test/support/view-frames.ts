import { seededRandom } from '#core';
import type { LaneFrame } from '#labels/annotation';

/** A picture of noise, larger than what is seen of it, so that a camera can move over it. */
export interface Scene {
  readonly width: number;
  readonly levels: Uint8Array;
}

/** Patches of grey and colour; `fine`: of one px, else of eight. */
export function sceneOf(seed: number, { side = 800, patch = 8, base = 0 } = {}): Scene {
  const random = seededRandom(seed);
  const across = Math.ceil(side / patch);
  const patches = Array.from({ length: 3 * across * across }, () => base + random.integer(0, 120));
  const levels = new Uint8Array(3 * side * side);
  for (let at = 0; at < side * side; at++)
    for (let c = 0; c < 3; c++) {
      const [x, y] = [Math.floor((at % side) / patch), Math.floor(at / side / patch)];
      levels[3 * at + c] = patches[3 * (y * across + x) + c];
    }
  return { width: side, levels };
}

/** Renders the 320 x 240 px view of a scene from a position; `square` is the left edge of a bright object in front. */
export function viewFrame(
  row: number,
  time_s: number,
  scene: Scene,
  [left, top]: readonly [number, number] = [0, 0],
  square: number | null = null,
): LaneFrame {
  const [width_px, height_px] = [320, 240];
  const rgb = new Uint8Array(3 * width_px * height_px);
  for (let y = 0; y < height_px; y++) {
    const from = 3 * ((top + y) * scene.width + left);
    rgb.set(scene.levels.subarray(from, from + 3 * width_px), 3 * y * width_px);
    if (square !== null && y >= 100 && y < 160)
      rgb.fill(250, 3 * (y * width_px + square), 3 * (y * width_px + square + 60));
  }
  return { camera: 'front', row, time_s, width_px, height_px, stored_px: [width_px, height_px], rgb };
}
