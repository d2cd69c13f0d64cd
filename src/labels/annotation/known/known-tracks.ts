import { z } from 'zod';

const box = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const places = z.array(z.number().int().nonnegative());
const boxTrack = z.object({
  id: z.number(),
  label: z.string(),
  frame: places,
  box: z.array(box),
});
const pointTrack = z.object({
  id: z.number(),
  frame: places,
  point: z.array(z.tuple([z.number(), z.number()])),
});
export type KnownTrack = z.infer<typeof boxTrack> | z.infer<typeof pointTrack>;

/** What the layer `tracks` says of an episode. */
export const knownTracks = z.object({
  cameras: z.array(
    z.object({
      camera: z.string(),
      // A camera of which nothing was decoded has none of these.
      width_px: z.number().default(0),
      height_px: z.number().default(0),
      frames: z.object({ time_s: z.array(z.number()) }).default({ time_s: [] }),
      tracks: z.array(z.union([boxTrack, pointTrack])).default([]),
    }),
  ),
});
export type TrackedCamera = z.infer<typeof knownTracks>['cameras'][number];
