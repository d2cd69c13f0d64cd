import type { RgbPicture } from '../../media-port.ts';

/** Width and height whose longer side is at most so long, in the same proportion; never enlarged. */
export function reducedSize(
  width: number,
  height: number,
  longest_side_px: number,
): [width: number, height: number] {
  const scale = Math.min(1, longest_side_px / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/** The picture turned clockwise by 0, 90, 180 or 270 degrees. */
export function turned(picture: RgbPicture, rotation_deg: number): RgbPicture {
  if (rotation_deg === 0) return picture;
  const { width_px: width, height_px: height, rgb } = picture;
  const isUpright = rotation_deg === 180;
  const out = new Uint8Array(rgb.length);
  const outWidth = isUpright ? width : height;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [toX, toY] = isUpright
        ? [width - 1 - x, height - 1 - y]
        : rotation_deg === 90
          ? [height - 1 - y, x]
          : [y, width - 1 - x];
      const from = 3 * (y * width + x);
      const to = 3 * (toY * outWidth + toX);
      out[to] = rgb[from];
      out[to + 1] = rgb[from + 1];
      out[to + 2] = rgb[from + 2];
    }
  const [storedWidth, storedHeight] = picture.stored_px;
  const stored_px = isUpright ? picture.stored_px : ([storedHeight, storedWidth] as const);
  return { width_px: outWidth, height_px: isUpright ? height : width, rgb: out, stored_px };
}
