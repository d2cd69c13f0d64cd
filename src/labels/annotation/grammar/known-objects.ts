import { z } from 'zod';
import type { JsonObject } from '#core';

const knownObjects = z.object({
  frames: z.array(
    z.object({
      camera: z.string(),
      time_s: z.number(),
      width_px: z.number(),
      height_px: z.number(),
      boxes: z.array(
        z.object({
          label: z.string(),
          score: z.number(),
          /** Left, top, width, height in px. */
          box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
        }),
      ),
    }),
  ),
});

/** What the layer `object_labels` says of an episode, as far as sentences are made of it. */
export type KnownObjects = z.infer<typeof knownObjects>;

/** Reads the artifact of the layer `object_labels`; null stays null: nobody looked. */
export const readObjects = (artifact: JsonObject | null): KnownObjects | null =>
  artifact === null ? null : knownObjects.parse(artifact);
