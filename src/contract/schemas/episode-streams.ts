import { z } from 'zod';
import { anyOf } from '../query-lists.ts';
import { receiptSchema } from './receipt.ts';

const count = z.int().nonnegative();
const streamInReceipt = receiptSchema.shape.streams.element;

export const streamFactsSchema = streamInReceipt.meta({ id: 'StreamFacts' });
export type StreamFacts = z.infer<typeof streamFactsSchema>;

/** A stream of an episode, as its receipt has it. */
export const episodeStreamSchema = z
  .strictObject({
    ...streamInReceipt.shape,
    /** Addresses of its numbers and, for a camera, of its pictures; null where it has none. */
    links: z.strictObject({ samples: z.string(), frames: z.string().nullable() }),
  })
  .meta({ id: 'EpisodeStream' });
export type EpisodeStream = z.infer<typeof episodeStreamSchema>;

const onAxis = z.coerce
  .number()
  .meta({ description: 'seconds since the start of the episode; of a stream without a clock, rows' });

export const streamQuery = z
  .strictObject({
    width_px: z.coerce.number().int().min(1).max(4000).default(800).meta({ description: 'columns at most' }),
    from_s: onAxis.optional(),
    to_s: onAxis.optional(),
    dimension: anyOf(z.coerce.number().int().min(0).max(1_000_000)).meta({
      description: 'from 0; absent: the first 64',
    }),
  })
  .refine(({ from_s, to_s }) => from_s === undefined || to_s === undefined || from_s <= to_s, {
    path: ['to_s'],
    message: 'must not be before from_s',
  });

const extremes = z.array(z.number().nullable());

/** Numbers of a stream in columns of equal width: least and greatest value of each, so that no spike is lost. */
export const streamSamplesSchema = z
  .strictObject({
    stream_id: z.string(),
    /** `row` for a stream without a clock. */
    axis: z.enum(['time_s', 'row']),
    /** The window, ends included. */
    from: z.number(),
    to: z.number(),
    /** In the window, and in the whole stream. */
    rows: count,
    total_rows: count,
    /** Where the first row of each column lies. Columns without a row are left out. */
    at: z.array(z.number()),
    /** Dimensions there are; `dimensions` has those asked for. */
    dims: count,
    dimensions: z.array(
      z.strictObject({
        index: count,
        name: z.string().nullable(),
        /** One a column: finite values only; null where there is none, and in one column for a gap. */
        min: extremes,
        max: extremes,
        /** Columns, by their place in `at`, that also hold a value that is not finite. */
        not_finite: z.array(count),
      }),
    ),
  })
  .meta({ id: 'StreamSamples' });
export type StreamSamples = z.infer<typeof streamSamplesSchema>;

export const frameQuery = z.strictObject({
  at_s: z.coerce
    .number()
    .default(0)
    .meta({ description: 'seconds since the start of the episode: the last frame at or before is given' }),
  width_px: z.coerce
    .number()
    .int()
    .min(16)
    .max(4096)
    .default(640)
    .meta({ description: 'width at most; pictures are never enlarged' }),
});
