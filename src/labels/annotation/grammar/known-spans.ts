import { z } from 'zod';
import type { JsonObject } from '#core';

const place = z.object({ dimension: z.number(), name: z.string().nullable(), stream: z.string() });

const knownSpans = z.object({
  from_s: z.number(),
  to_s: z.number(),
  reason: z.string().nullable(),
  /** Whose motion was looked at: `camera` where it is how a picture changes. */
  motion: z.object({ role: z.string() }).nullish(),
  grippers: z.array(z.object({ dimension: z.number(), name: z.string().nullable(), stream: z.string() })),
  segments: z.array(
    z.object({
      from_s: z.number(),
      to_s: z.number(),
      kind: z.enum(['unobserved', 'gripper_close', 'gripper_open', 'gripper_change', 'still', 'move']),
      begins: z
        .object({
          type: z.string(),
          stream: z.string(),
          dimension: z.number().nullable(),
          change: z.enum(['open', 'close', 'unknown']).nullable(),
        })
        .nullable(),
      grippers: z.array(z.enum(['open', 'closed']).nullable()),
      most_moved: place.nullable(),
      /** Mean speed as a share of the episode's typical one. */
      speed: z.number().nullable(),
    }),
  ),
});

/** What the layer `segments` says of an episode, as far as sentences are made of it. */
export type KnownSpans = z.infer<typeof knownSpans>;
export type KnownSpan = KnownSpans['segments'][number];

/** Reads the artifact of the layer `segments`. */
export const readSpans = (artifact: JsonObject): KnownSpans => knownSpans.parse(artifact);
