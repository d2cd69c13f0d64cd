import { z } from 'zod';
import { rleSchema } from '../masks/read-rle.ts';

/** What the layer `segmentation` says of an episode. */
export const knownMasks = z.object({
  frames: z.array(
    z.object({
      camera: z.string(),
      time_s: z.number(),
      width_px: z.number(),
      height_px: z.number(),
      labels: z.array(z.object({ label: z.string(), pixels: z.number(), rle: rleSchema })),
    }),
  ),
});
export type MaskedFrame = z.infer<typeof knownMasks>['frames'][number];
