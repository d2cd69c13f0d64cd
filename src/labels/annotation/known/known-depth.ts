import { z } from 'zod';

/** What the layer `depth` says of an episode, but for the maps. */
export const knownDepth = z.object({
  cameras: z.array(
    z.object({
      camera: z.string(),
      unit: z.string().nullable(),
      frames: z.array(
        z.object({
          time_s: z.number(),
          with_depth_fraction: z.number(),
          /** Artifacts of the first version have none. */
          quantiles: z.object({ p02: z.number(), p50: z.number(), p98: z.number() }).nullish(),
        }),
      ),
    }),
  ),
});
