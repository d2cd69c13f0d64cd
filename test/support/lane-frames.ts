import type { FrameBatch, LaneFrame } from '#labels/annotation';

/** A frame of one colour, reduced from a picture of another size. */
export function plainFrame(
  row: number,
  rgb: readonly [number, number, number],
  {
    size = [64, 48],
    stored_px = [128, 96],
  }: Partial<Record<'size' | 'stored_px', readonly [number, number]>> = {},
): LaneFrame {
  const [width_px, height_px] = size;
  const pixels = Uint8Array.from({ length: 3 * width_px * height_px }, (_, at) => rgb[at % 3]);
  return { camera: 'front', row, time_s: row, width_px, height_px, stored_px, rgb: pixels };
}

/** Creates a lane's frame source that returns these frames in one batch. */
export const framesOf = (frames: readonly LaneFrame[], more: Partial<FrameBatch> = {}) =>
  async function* (): AsyncGenerator<FrameBatch> {
    yield { camera: 'front', frames, missing: [], unreadable: null, ...more };
  };
