import { z } from 'zod';
import { anyOf } from '../query-lists.ts';
import { receiptSchema } from './receipt.ts';

const count = z.int().nonnegative();
const streamInReceipt = receiptSchema.shape.streams.element;

export const streamFactsSchema = streamInReceipt.meta({ id: 'StreamFacts' });
export type StreamFacts = z.infer<typeof streamFactsSchema>;

/** Stream of an episode, as in its receipt. */
export const episodeStreamSchema = z
  .strictObject({
    ...streamInReceipt.shape,
    /** URLs of its samples and, for a camera, of its frames; null if it has none. */
    links: z.strictObject({ samples: z.string(), frames: z.string().nullable() }),
  })
  .meta({ id: 'EpisodeStream' });
export type EpisodeStream = z.infer<typeof episodeStreamSchema>;

const onAxis = z.coerce.number().meta({
  description: 'Seconds since the start of the episode; row number for streams without timestamps.',
});

export const streamQuery = z
  .strictObject({
    width_px: z.coerce
      .number()
      .int()
      .min(1)
      .max(4000)
      .default(800)
      .meta({ description: 'Maximum number of columns.' }),
    from_s: onAxis.optional(),
    to_s: onAxis.optional(),
    dimension: anyOf(z.coerce.number().int().min(0).max(1_000_000)).meta({
      description: 'Zero-based indices of dimensions. Defaults to the first 64.',
    }),
  })
  .refine(({ from_s, to_s }) => from_s === undefined || to_s === undefined || from_s <= to_s, {
    path: ['to_s'],
    message: 'must not be before from_s',
  });

const extremes = z.array(z.number().nullable());

/** Samples of a stream in columns of equal width with the minimum and maximum of each, so that no spike is lost. */
export const streamSamplesSchema = z
  .strictObject({
    stream_id: z.string(),
    /** `row` for streams without a clock. */
    axis: z.enum(['time_s', 'row']),
    /** Window, both ends inclusive. */
    from: z.number(),
    to: z.number(),
    /** Number of rows in the window, and in the whole stream. */
    rows: count,
    total_rows: count,
    /** Time of the first row of each column; columns without rows are omitted. */
    at: z.array(z.number()),
    /** Number of dimensions of the stream; `dimensions` lists the requested ones. */
    dims: count,
    dimensions: z.array(
      z.strictObject({
        index: count,
        name: z.string().nullable(),
        /** One value per column, from finite values only; null if there is none, and in one column for a gap. */
        min: extremes,
        max: extremes,
        /** Indices (in `at`) of columns that also contain non-finite values. */
        not_finite: z.array(count),
      }),
    ),
  })
  .meta({ id: 'StreamSamples' });
export type StreamSamples = z.infer<typeof streamSamplesSchema>;

export const frameQuery = z.strictObject({
  at_s: z.coerce.number().default(0).meta({
    description: 'Seconds since the start of the episode. Returns the last frame at or before this time.',
  }),
  width_px: z.coerce
    .number()
    .int()
    .min(16)
    .max(4096)
    .default(640)
    .meta({ description: 'Maximum width in pixels. Frames are never enlarged.' }),
});

const seconds = z.coerce.number().min(0);

export const videoQuery = z
  .strictObject({
    codec: z.enum(['recorded', 'h264']).default('recorded').meta({
      description:
        '`recorded`: H.264, AV1 and VP9 video is copied without re-encoding. `h264`: only H.264 is copied, for browsers that cannot play AV1 or VP9.',
    }),
    from_s: seconds
      .default(0)
      .meta({ description: 'Start of the video, in seconds since the start of the episode.' }),
    until_s: seconds.optional().meta({
      description:
        'End of the video (exclusive), in seconds since the start of the episode. Defaults to the end of the episode.',
    }),
    width_px: z.coerce.number().int().min(64).max(1920).default(640).meta({
      description:
        'Maximum width and height in pixels if the video is re-encoded. Frames are never enlarged.',
    }),
  })
  .refine(({ from_s, until_s }) => until_s === undefined || from_s < until_s, {
    path: ['until_s'],
    message: 'must be after from_s',
  });

export const playbackQuery = z.strictObject({
  width_px: z.coerce.number().int().min(1).max(2000).default(600).meta({
    description: 'Maximum number of columns per signal.',
  }),
});

const nullable = z.number().nullable();

/** Everything that a player needs to show an episode. */
export const playbackSchema = z
  .strictObject({
    duration_s: z.number(),
    cameras: z.array(
      z.strictObject({
        stream_id: z.string(),
        /** Recorded codec, such as `h264`, `hevc`, `jpeg`; `null` if unknown. */
        codec: z.string().nullable(),
        /**
         * Media type of the video with `codec=recorded`, for `canPlayType`; null if it is always re-encoded as H.264.
         */
        mime: z.string().nullable(),
        width_px: nullable,
        height_px: nullable,
        rate_hz: nullable,
        frames: count,
        /** Times of the first and last frame in seconds since the start of the episode; null if unknown. */
        starts_s: nullable,
        last_s: nullable,
        /** Recommended seconds per request, on a grid from 0; null for the whole video. */
        part_s: nullable,
        /** Reason why it cannot be shown; `null` if it can. */
        problem: z.string().nullable(),
        links: z.strictObject({ video: z.string() }),
      }),
    ),
    signals: z.array(streamSamplesSchema),
    /** Numeric streams beyond the maximum number of `signals`. */
    omitted: z.array(z.string()),
  })
  .meta({ id: 'Playback' });
export type Playback = z.infer<typeof playbackSchema>;

export const posesQuery = z.strictObject({
  points: z.coerce.number().int().min(3).max(4000).default(1000).meta({
    description: 'Maximum number of points per pose. Longer paths are simplified so that their turns remain.',
  }),
});

const coordinates = z.array(z.number());

/** Positions of one thing over time, with orientations if they are known. */
const episodePoseSchema = z
  .strictObject({
    /** Name for people, such as `Left end effector`; unique within the episode. */
    label: z.string(),
    kind: z.enum(['end_effector', 'object', 'camera', 'base', 'other']),
    /** Stream with the positions. */
    stream_id: z.string(),
    /** Unit of x, y and z, converted to metres; null if the recording does not state it. */
    unit: z.literal('m').nullable(),
    /** Direction of the z axis: down in some flight logs. */
    z_axis: z.enum(['up', 'down']),
    /** Number of recorded rows. */
    rows: count,
    /** Times in seconds since the start of the episode, ascending. Streams without timestamps are spread over it. */
    time_s: z.array(z.number()),
    x: coordinates,
    y: coordinates,
    z: coordinates,
    /** Indices of points before which the recording is interrupted. */
    starts: z.array(count),
    /** Orientation per point as a unit quaternion x, y, z, w; null per point without one, and null if none is known. */
    quaternions: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable()).nullable(),
    /** Reason why a recorded orientation is not read; null if it is, or if none is recorded. */
    orientation_problem: z.string().nullable(),
  })
  .meta({ id: 'EpisodePose' });
export type EpisodePose = z.infer<typeof episodePoseSchema>;

export const episodePosesSchema = z
  .strictObject({ poses: z.array(episodePoseSchema) })
  .meta({ id: 'EpisodePoses' });
export type EpisodePoses = z.infer<typeof episodePosesSchema>;
