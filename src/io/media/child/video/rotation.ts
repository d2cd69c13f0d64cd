import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import type { CodecParameters } from 'node-av/lib';

/** Degrees (0, 90, 180, 270) by which a picture has to be turned clockwise to stand upright. */
export function rotationOf(parameters: CodecParameters): number {
  const matrix = parameters.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (matrix === null || matrix.length < 36) return 0;
  const view = new DataView(matrix.buffer, matrix.byteOffset, matrix.byteLength);
  // The display matrix maps (x, y) to (a x + c y, b x + d y): turned clockwise by atan2(b, a) on a screen.
  const a = view.getInt32(0, true);
  const b = view.getInt32(4, true);
  const turned = (Math.atan2(b, a) * 180) / Math.PI;
  return (Math.round(turned / 90) * 90 + 360) % 360;
}
