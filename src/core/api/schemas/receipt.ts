import { z } from 'zod';
import { kindSchema } from '../kinds.ts';
import { jsonSchema } from '../primitives.ts';

/** The readiness receipt, version 1. Canonicalised by RFC 8785; `content_hash` is the SHA-256 of the rest. */
const evidence = z.enum(['declared', 'known_format', 'measured', 'unknown']);
/** SHA-256, lower-case hexadecimal. */
const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const markSchema = z
  .strictObject({
    stream: z.string(),
    from_s: z.number(),
    to_s: z.number(),
    dimension: z.int().nonnegative().optional(),
  })
  .meta({ id: 'Mark' });

export const flagSchema = z
  .strictObject({
    code: z.string(),
    check: z.string(),
    severity: z.enum(['blocking', 'warning', 'info']),
    score: z.number().min(0).max(1),
    threshold: z.number().min(0).max(1),
    observed: z.number(),
    message: z.string(),
    advice: z.string(),
    marks: z.array(markSchema),
  })
  .meta({ id: 'Flag' });

const graded = {
  id: z.string(),
  /** Threshold in effect: the check's default plus the offset from the settings. */
  threshold: z.number(),
  weight: z.number(),
};
const scored = z.strictObject({
  ...graded,
  status: z.literal('scored'),
  score: z.number().min(0).max(1),
  /** Measured values that the score is computed from; evaluating them again gives the same score. */
  inputs: z.record(z.string(), jsonSchema),
  /** Comparisons with other episodes of the dataset that this check used. */
  compared: z.record(z.string(), jsonSchema).optional(),
});
const unscored = z.strictObject({
  ...graded,
  status: z.enum(['inapplicable', 'not_assessable', 'disabled']),
  reason: z.string(),
});
export const componentSchema = z.discriminatedUnion('status', [scored, unscored]).meta({ id: 'Component' });

export const findingSchema = z
  .strictObject({
    code: z.string(),
    severity: z.enum(['info', 'warning', 'error', 'blocking']),
    path: z.string().nullable(),
    message: z.string(),
    advice: z.string(),
    evidence: z.record(z.string(), jsonSchema).optional(),
  })
  .meta({ id: 'Finding' });

const streamFacts = z.strictObject({
  id: z.string(),
  role: z.string(),
  modality: z.string(),
  shape: z.array(z.int()),
  unit: z.strictObject({ unit: z.string(), evidence, reason: z.string() }),
  sample_count: z.int(),
  declared_rate_hz: z.number().nullable(),
  measured_rate_hz: z.number().nullable(),
  clock: z
    .strictObject({
      name: z.string(),
      provenance: z.string(),
      reason: z.string(),
      others: z.array(z.string()),
    })
    .nullable(),
  /** Reason why samples occur on events instead of at a rate; absent if they follow a rate. */
  event_driven: z.string().optional(),
});

const gripper = z.strictObject({
  stream: z.string(),
  dimension: z.int(),
  name: z.string().nullable(),
  unit: z.string(),
  range_observed: z.tuple([z.number(), z.number()]),
  open_value: z.number().nullable(),
  evidence,
  reason: z.string(),
});

const count = z.int().nonnegative();
const ratio = z.number().nonnegative();

/** Facts for certification that no check grades. A member is absent if there was nothing to measure. */
const factsSchema = z.strictObject({
  /** Timestamps as stored in the source, of recorded streams (sensors, states, actions, cameras). */
  timeline: z
    .strictObject({
      clocks: count,
      /** Number of these clocks whose stamps were not computed from a rate. */
      recorded: count,
      samples: count,
      reversals: count,
      non_finite: count,
      /** 95th percentile of |step / median − 1|, the largest over recorded clocks that keep a rate; null without any. */
      jitter: ratio.nullable(),
      jitter_stream: z.string().nullable(),
      /** Missing samples divided by expected samples, the largest over the same clocks. */
      lost_share: ratio.nullable(),
      lost_stream: z.string().nullable(),
      /** Share of the duration that the recorder reports as dropped; null if it does not report drops. */
      dropped_share: ratio.nullable(),
      /**
       * Number of rows in which state and action move, and in which both jump; only if their timestamps are computed.
       */
      rows: z.strictObject({ moving: count, leaping: count }).nullable(),
    })
    .optional(),
  /** True if state and action are rows of one table. */
  same_rows: z.boolean().optional(),
  /** Lag between motion in the images and motion in the signals; positive if the images are later. */
  content_lag: z
    .strictObject({
      camera: z.string(),
      against: z.string(),
      cameras: count,
      lag_ms: z.number(),
      step_ms: z.number(),
      /** Normalised cross-correlation at the lag, and the ratio of the best other peak to it. */
      peak: z.number(),
      second_ratio: z.number(),
      /** Width of the peak at half its height above the median. */
      width_ms: z.number(),
      /** Share of the time in which the signals move. */
      excitation: ratio,
      samples: count,
      /** True if the peak is high, narrow, unique, and rests on enough motion; `reason` says why not. */
      sure: z.boolean(),
      reason: z.string().nullable(),
      /** Delay of the state behind its action, which is a different quantity. */
      control_delay_ms: z.number().nullable(),
    })
    .optional(),
});
export type ReceiptFacts = z.infer<typeof factsSchema>;

export const receiptSchema = z.strictObject({
  schema: z.literal('assay/receipt/v1'),
  engine: z.strictObject({ name: z.literal('assay'), version: z.string() }),
  canonicalisation: z.literal('RFC8785'),
  episode: z.strictObject({
    id: z.string(),
    index: z.int(),
    locator: z.strictObject({
      format: z.string(),
      path: z.string(),
      span: z
        .strictObject({ unit: z.enum(['row', 's', 'record']), from: z.number(), to: z.number() })
        .optional(),
    }),
    /** Span of a longer recording and the recipe that cut it; absent if the episode is the whole recording. */
    cut: z
      .strictObject({
        recording: z.string(),
        part: z.int().positive(),
        /** Seconds since the recording's start. */
        from_s: z.number(),
        to_s: z.number(),
        begins: z.string(),
        ends: z.string(),
        /** Recipe with defaults filled in; `null` if the reader cut the recording. */
        recipe: z.record(z.string(), jsonSchema).nullable(),
        /** SHA-256 of the recipe's canonical JSON. */
        recipe_hash: digest.nullable(),
      })
      .optional(),
    /** Rate declared by the user for recordings without a clock; absent if none was declared. */
    declared_rate: z.strictObject({ hz: z.number(), source: z.string(), used: z.boolean() }).optional(),
    /** Split that the dataset assigns it to; absent if the dataset declares none. */
    split: z.string().optional(),
    start_ns: z.string().nullable(),
    duration_s: z.number(),
    robot: z.string().nullable(),
    tasks: z.array(z.string()).nullable(),
    outcome: z.strictObject({
      value: z.enum(['success', 'failure', 'unknown']),
      evidence,
      reason: z.string(),
    }),
  }),
  kind: z.strictObject({ kind: kindSchema, evidence: z.array(z.string()) }),
  sources: z.array(
    z.strictObject({
      path: z.string(),
      bytes: z.int(),
      sha256: digest.nullable(),
      role: z.string(),
    }),
  ),
  streams: z.array(streamFacts),
  /** Facts; absent in receipts of versions that did not certify. */
  facts: factsSchema.optional(),
  grippers: z.array(gripper),
  checks: z.array(componentSchema),
  flags: z.array(flagSchema),
  findings: z.array(findingSchema),
  score: z.number().min(0).max(1).nullable(),
  graded_fraction: z.number().min(0).max(1),
  decision: z.enum(['accept', 'review', 'reject']),
  decision_reason: z.string(),
  /** Ids of the requested loaders, sorted; absent if they were chosen by format and files. */
  loaders: z.array(z.string()).optional(),
  settings_hash: digest,
  /** Number of decoded frames, if not sampled: none or all; absent for a sample, with all frames around a suspected fault. */
  pictures: z.enum(['none', 'all']).optional(),
  /** List of what was not evaluated, so that missing results are not taken for a pass. */
  limits: z.array(z.string()),
  content_hash: digest,
});

export type Receipt = z.infer<typeof receiptSchema>;
export type ReceiptFlag = z.infer<typeof flagSchema>;
export type Component = z.infer<typeof componentSchema>;
export type Decision = Receipt['decision'];
