import { z } from 'zod';
import { rleSchema } from '../../vision/read-rle.ts';
import { colourByName } from '../colours.ts';
import { boxCorners, boxSchema, formatScore, framedOverlay, maskRaster } from '../overlay.ts';

const boxEntrySchema = z.object({
  label: z.string(),
  score: z.number(),
  box: boxSchema,
  /** Absent if outlines were not requested, `null` if none was found. */
  mask: rleSchema.nullish(),
});

/** Draws boxes with class and score, in the colour of the class, over the outlines if there are any. */
export const objectLabels = framedOverlay(
  'object_labels',
  { boxes: z.array(boxEntrySchema) },
  ({ boxes }, canvas, to) => {
    // Highest score on top.
    const rising = [...boxes].sort((a, b) => a.score - b.score);
    const masks = rising.flatMap(({ label, mask }) =>
      mask == null ? [] : [{ rle: mask, colour: colourByName(label) }],
    );
    const raster = maskRaster(masks);
    if (raster !== null) canvas.rasters.push(raster);
    for (const { label, score, box } of rising) {
      const [from, until] = boxCorners(box, to);
      canvas.box(from, until, `${label} ${formatScore(score)}`, colourByName(label));
    }
  },
);

const labelSchema = z.object({ label: z.string(), pixels: z.number(), rle: rleSchema });

/** Draws each class in its colour, and lists the classes with their share of the picture. */
export const segmentation = framedOverlay(
  'segmentation',
  { labels: z.array(labelSchema) },
  ({ labels }, canvas) => {
    const raster = maskRaster(labels.map(({ label, rle }) => ({ rle, colour: colourByName(label) })));
    if (raster === null) return;
    canvas.rasters.push(raster);
    const all = raster.width_px * raster.height_px;
    for (const { label, pixels } of [...labels].sort((a, b) => b.pixels - a.pixels))
      canvas.note(`${label} ${Math.round((100 * pixels) / all)} %`, colourByName(label));
  },
);
