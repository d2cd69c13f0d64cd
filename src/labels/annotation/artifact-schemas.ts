import { z } from 'zod';
import { canonicalJson, type JsonObject } from '#core';
import { rleSchema } from './vision/read-rle.ts';

/** The fields of a `metadata` artifact that other layers read. */
export const metadataArtifactSchema = z.object({
  facts: z.record(z.string(), z.record(z.string(), z.json())),
});

/** Maximum length of a formatted fact, in characters. */
const maxFact_chars = 120;

/**
 * Formats a fact for a message: its value as text, truncated to `maxFact_chars`, or its status if the value is not
 * known.
 */
export function formatFact({ status, value }: JsonObject): string {
  if (status !== 'told') return String(status);
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return text.length > maxFact_chars ? `${text.slice(0, maxFact_chars)}…` : text;
}

const boxTuple = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const frameIndices = z.array(z.number().int().nonnegative());
const boxTrackSchema = z.object({
  id: z.number(),
  label: z.string(),
  frame: frameIndices,
  box: z.array(boxTuple),
});
const pointTrackSchema = z.object({
  id: z.number(),
  frame: frameIndices,
  point: z.array(z.tuple([z.number(), z.number()])),
});
/** A track in a `tracks` artifact. */
export type ArtifactTrack = z.infer<typeof boxTrackSchema> | z.infer<typeof pointTrackSchema>;

/** The fields of a `tracks` artifact that other layers read. */
export const tracksSchema = z.object({
  cameras: z.array(
    z.object({
      camera: z.string(),
      // Missing for a camera without decoded frames.
      width_px: z.number().default(0),
      height_px: z.number().default(0),
      frames: z.object({ time_s: z.array(z.number()) }).default({ time_s: [] }),
      tracks: z.array(z.union([boxTrackSchema, pointTrackSchema])).default([]),
    }),
  ),
});
/** A camera in a `tracks` artifact. */
export type TracksCamera = z.infer<typeof tracksSchema>['cameras'][number];

/** The fields of a `depth` artifact that other layers read, without the depth maps. */
export const depthArtifactSchema = z.object({
  cameras: z.array(
    z.object({
      camera: z.string(),
      unit: z.string().nullable(),
      frames: z.array(
        z.object({
          time_s: z.number(),
          with_depth_fraction: z.number(),
          /** Missing in artifacts of lane version 1. */
          quantiles: z.object({ p02: z.number(), p50: z.number(), p98: z.number() }).nullish(),
        }),
      ),
    }),
  ),
});

/** The fields of a `segmentation` artifact that other layers read. */
export const segmentationSchema = z.object({
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
/** A frame in a `segmentation` artifact. */
export type SegmentationFrame = z.infer<typeof segmentationSchema>['frames'][number];

const objectLabelsSchema = z.object({
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

/** The fields of an `object_labels` artifact that other layers read. */
export type ObjectLabels = z.infer<typeof objectLabelsSchema>;

/**
 * Parses an `object_labels` artifact, or returns `null` for `null`; throws `ZodError` if it does not match the
 * schema.
 */
export const parseObjectLabels = (artifact: JsonObject | null): ObjectLabels | null =>
  artifact === null ? null : objectLabelsSchema.parse(artifact);

const dimensionSchema = z.object({ dimension: z.number(), name: z.string().nullable(), stream: z.string() });

const segmentsSchema = z.object({
  from_s: z.number(),
  to_s: z.number(),
  reason: z.string().nullable(),
  /** Role of the streams that the motion was measured on; `camera` if it was measured as picture change. */
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
      most_moved: dimensionSchema.nullable(),
      /** Mean speed as a fraction of the episode's typical speed. */
      speed: z.number().nullable(),
    }),
  ),
});

/** The fields of a `segments` artifact that other layers read. */
export type SegmentsArtifact = z.infer<typeof segmentsSchema>;
/** A segment in a `segments` artifact. */
export type ArtifactSegment = SegmentsArtifact['segments'][number];

/** Parses a `segments` artifact; throws `ZodError` if it does not match the schema. */
export const parseSegments = (artifact: JsonObject): SegmentsArtifact => segmentsSchema.parse(artifact);
