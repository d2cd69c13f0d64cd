import { limits } from '#core';
import { forEachPixel, type ReadRle } from '../masks/read-rle.ts';
import type { Raster } from './canvas.ts';
import type { Rgb } from './colours.ts';

/** How much of the picture a mask lets through is what is left of this. */
const covers = 120;

/** Masks in their colours, the later over the earlier; null: they are of several sizes, or of none that is allowed. */
export function maskRaster(masks: readonly { readonly rle: ReadRle; readonly colour: Rgb }[]): Raster | null {
  const [first] = masks;
  if (first === undefined) return null;
  const [height_px, width_px] = first.rle.size;
  const isAlike = masks.every(({ rle: { size } }) => size[0] === height_px && size[1] === width_px);
  if (!isAlike || height_px * width_px > limits.recordings.picture_pixels.value) return null;
  const rgba = new Uint8Array(4 * height_px * width_px);
  for (const { rle, colour } of masks)
    forEachPixel(rle, (x, y) => {
      const at = 4 * (y * width_px + x);
      rgba.set(colour, at);
      rgba[at + 3] = covers;
    });
  return { width_px, height_px, rgba, sharp: true };
}
