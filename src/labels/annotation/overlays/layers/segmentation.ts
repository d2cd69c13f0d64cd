import { z } from 'zod';
import { rleSchema } from '../../masks/read-rle.ts';
import { colourOf } from '../colours.ts';
import { framedOverlay } from '../framed.ts';
import { maskRaster } from '../run-lengths.ts';

const label = z.object({ label: z.string(), pixels: z.number(), rle: rleSchema });

/** Every class in its colour, named with its share of the picture. */
export const segmentation = framedOverlay(
  'segmentation',
  { labels: z.array(label) },
  ({ labels }, canvas) => {
    const raster = maskRaster(labels.map(({ label, rle }) => ({ rle, colour: colourOf(label) })));
    if (raster === null) return;
    canvas.rasters.push(raster);
    const all = raster.width_px * raster.height_px;
    for (const { label, pixels } of [...labels].sort((a, b) => b.pixels - a.pixels))
      canvas.note(`${label} ${Math.round((100 * pixels) / all)} %`, colourOf(label));
  },
);
