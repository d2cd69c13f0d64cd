import { type JsonObject, significant } from '#core';
import type { Calibration } from '#core/episode';

/** The calibration of a camera: one of that name, or of the name that its topic lies below. */
function calibrationOf(camera: string, calibrations: readonly Calibration[]): Calibration | undefined {
  const above = camera.slice(0, Math.max(0, camera.lastIndexOf('/')));
  const own = calibrations.find(({ target }) => target === camera);
  return own ?? calibrations.find(({ target }) => target !== '' && target === above);
}

/** Focal lengths and principal point in px of the size that they are for; null where the recording says none. */
export function intrinsicsJson(camera: string, calibrations: readonly Calibration[]): JsonObject | null {
  const found = calibrationOf(camera, calibrations);
  const k = found?.values.K;
  if (found === undefined || k?.length !== 9 || !(k[0] > 0) || !k.every(Number.isFinite)) return null;
  const [fx_px, fy_px, cx_px, cy_px] = [k[0], k[4], k[2], k[5]].map((value) => significant(value, 9));
  const { width_px, height_px, D } = found.values;
  return {
    ...{ fx_px, fy_px, cx_px, cy_px },
    width_px: width_px?.[0] ?? null,
    height_px: height_px?.[0] ?? null,
    model: found.model,
    distortion: D === undefined ? null : D.map((value) => significant(value, 9)),
    source: found.source,
  };
}
