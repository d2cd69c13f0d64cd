import { z } from 'zod';
import { rleSchema } from '../../masks/read-rle.ts';
import { colourOf } from '../colours.ts';
import { boxSchema, cornersOf, framedOverlay, scoreText } from '../framed.ts';
import { maskRaster } from '../run-lengths.ts';

const box = z.object({
  label: z.string(),
  score: z.number(),
  box: boxSchema,
  /** Absent where no outlines were asked for, null where none was found. */
  mask: rleSchema.nullish(),
});

/** Boxes with class and score, each class in its colour, over outlines where there are any. */
export const objectLabels = framedOverlay(
  'object_labels',
  { boxes: z.array(box) },
  ({ boxes }, canvas, to) => {
    // The surest lies on top.
    const rising = [...boxes].sort((a, b) => a.score - b.score);
    const masks = rising.flatMap(({ label, mask }) =>
      mask == null ? [] : [{ rle: mask, colour: colourOf(label) }],
    );
    const raster = maskRaster(masks);
    if (raster !== null) canvas.rasters.push(raster);
    for (const { label, score, box } of rising) {
      const [from, until] = cornersOf(box, to);
      canvas.box(from, until, `${label} ${scoreText(score)}`, colourOf(label));
    }
  },
);
