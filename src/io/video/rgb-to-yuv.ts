import type { RgbFrame } from './camera-pictures.ts';

/**
 * RGB as planar YUV 4:2:0 of limited range (ITU-R BT.601, as libswscale takes video that does not say otherwise). Colour
 * is the mean of four pixels. A last row or column of an odd size is left away, since the format has none.
 */
export function rgbToYuv420(frame: RgbFrame): Uint8Array {
  const { rgb, width_px: stride } = frame;
  const [width, height] = evenSize(frame);
  const luma = width * height;
  const out = new Uint8Array(luma + luma / 2);
  const chroma = luma / 4;
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let i = 0; i < 4; i++) {
        const [px, py] = [x + (i & 1), y + (i >> 1)];
        const at = (py * stride + px) * 3;
        const [r, g, b] = [rgb[at], rgb[at + 1], rgb[at + 2]];
        out[py * width + px] = 16.5 + 0.256788 * r + 0.504129 * g + 0.097906 * b;
        red += r;
        green += g;
        blue += b;
      }
      const place = luma + (y / 2) * (width / 2) + x / 2;
      out[place] = 128.5 + (-0.148223 * red - 0.290993 * green + 0.439216 * blue) / 4;
      out[place + chroma] = 128.5 + (0.439216 * red - 0.367788 * green - 0.071427 * blue) / 4;
    }
  return out;
}

/** What is left of a size where rows and columns come in pairs. */
export function evenSize({ width_px, height_px }: RgbFrame): readonly [width: number, height: number] {
  return [width_px - (width_px % 2), height_px - (height_px % 2)];
}
