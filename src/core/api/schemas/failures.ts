import { z } from 'zod';
import { idSchema, nameSchema, scoreSchema, timeSchema } from '../primitives.ts';
import { curationPlanInputSchema, curationPlanSummarySchema } from './curation.ts';
import { createExportSchema, exportSchema } from './exports.ts';
import { sliceSchema } from './search.ts';
import { actorIdSchema } from './tenancy.ts';

const count = z.int().nonnegative();
/** Creates the schema of a text without NUL and unpaired surrogates, which no database can store. */
const text = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine(
      (value) => value.isWellFormed() && !value.includes('\0'),
      'must not contain NUL or an unpaired surrogate',
    );

/** Maximum number of failures of one import. */
export const maxFailures = 1000;
/** Maximum number of samples of a trajectory, and of its dimensions. */
const maxRows = 20_000;
const maxDims = 256;

const rows = z
  .array(z.array(z.number()).min(1).max(maxDims))
  .min(2)
  .max(maxRows)
  .refine(
    (all) => all.every(({ length }) => length === all[0].length),
    'all samples must have the same length',
  );

const trajectorySchema = z
  .strictObject({
    /** Samples per second, if there are no times. */
    rate_hz: z.number().positive().max(1e6).optional(),
    /** Times of the samples, ascending. */
    times_s: z.array(z.number()).min(2).max(maxRows).optional(),
    /** Measured joints or poses, one row per sample, in the order and units of the training data. */
    state: rows.optional(),
    /** Commands in the same form; compared if there is no state. */
    action: rows.optional(),
  })
  .refine(({ state, action }) => state !== undefined || action !== undefined, 'state or action is required')
  .refine(
    ({ state, action, times_s }) =>
      times_s === undefined ||
      [state, action].every((all) => all === undefined || all.length === times_s.length),
    'times_s must have one value per sample',
  )
  .refine(
    ({ times_s = [] }) => times_s.every((at, i) => i === 0 || at >= times_s[i - 1]),
    'times_s must be increasing',
  )
  .meta({ id: 'Trajectory' });
export type Trajectory = z.infer<typeof trajectorySchema>;

/** One attempt at which a policy failed. It is compared by its trajectory, else by its task. */
export const failureRecordSchema = z
  .strictObject({
    /** Id from the evaluation, unique within an import. */
    id: text(200),
    task: text(2000).optional(),
    /** Description of the failure from the evaluation. */
    failure_mode: text(500).optional(),
    /** Time of the failure since the start of the attempt. */
    time_s: z.number().min(0).max(1e9).optional(),
    occurred_at: timeSchema.optional(),
    /** Id or name of an episode that contains the attempt. */
    episode: text(2000).optional(),
    /** Path of a recording of the attempt, relative to the file; read by `assay loop`, not by a service. */
    recording: text(2000).optional(),
    trajectory: trajectorySchema.optional(),
  })
  .meta({ id: 'FailureRecord' });
export type FailureRecord = z.infer<typeof failureRecordSchema>;

const failureFormats = ['json', 'csv', 'lerobot-eval'] as const;
export type FailureFormat = (typeof failureFormats)[number];

const scoringMembers = {
  /** Number of nearest episodes to consider for each failure. */
  neighbours: z.int().min(1).max(20).default(5),
  /** Novelty from which a failure counts as `novel`. */
  novel_from: scoreSchema.default(0.95),
};

export const importFailuresSchema = z.strictObject({
  name: nameSchema.optional(),
  /** One of `records`, `file` and `source_id`. */
  records: z.array(failureRecordSchema).min(1).max(maxFailures).optional(),
  /** A file’s text: records as JSON or CSV, or `eval_info.json` of lerobot-eval. */
  file: z.strictObject({ format: z.enum(failureFormats), text: z.string().min(1).max(8_000_000) }).optional(),
  /** Episodes of this source that did not succeed, whatever their format, such as MCAP. */
  source_id: idSchema('src').optional(),
  /** Task of records without a task. */
  task: text(2000).optional(),
  ...scoringMembers,
});

const verdictSchema = z.enum(['near', 'novel', 'not_assessable']);
export type FailureVerdict = z.infer<typeof verdictSchema>;

export const failureSchema = z
  .strictObject({
    id: idSchema('fai'),
    import_id: idSchema('fim'),
    record_id: z.string(),
    task: z.string().nullable(),
    failure_mode: z.string().nullable(),
    time_s: z.number().nullable(),
    occurred_at: timeSchema.nullable(),
    /** Episode of the tenant that contains the attempt. */
    episode_id: idSchema('ep').nullable(),
    /** `near`: the training data contains similar episodes. `novel`: it does not. */
    verdict: verdictSchema,
    /** Reason why it is not assessable. */
    reason: z.string().nullable(),
    /** Basis of the comparison. */
    by: z.enum(['motion', 'words']).nullable(),
    /** Distance to the k-th nearest episode of the baseline. */
    distance: z.number().nullable(),
    /** Share of the baseline episodes that are closer to their own k-th nearest episode than this failure is to its. */
    novelty: scoreSchema.nullable(),
    nearest: z.array(z.strictObject({ episode_id: idSchema('ep'), distance: z.number() })),
  })
  .meta({ id: 'Failure' });
export type Failure = z.infer<typeof failureSchema>;

export const failureImportSchema = z
  .strictObject({
    id: idSchema('fim'),
    project_id: idSchema('prj'),
    name: z.string(),
    neighbours: count,
    novel_from: scoreSchema,
    failures: count,
    near: count,
    novel: count,
    not_assessable: count,
    /** Baseline that failures were compared with: episodes that are neither rejected nor failed. */
    baseline: z.strictObject({
      episodes: count,
      /** Number of these with a motion descriptor, and with a task. */
      motion: count,
      words: count,
    }),
    /** Notes about records of the file that were skipped. */
    notes: z.array(z.string()),
    /** Slice of the episodes nearest to the `near` failures; `null` if there is none. */
    slice_id: idSchema('slc').nullable(),
    created_at: timeSchema,
    created_by: actorIdSchema,
  })
  .meta({ id: 'FailureImport' });
export type FailureImport = z.infer<typeof failureImportSchema>;

export const closeLoopSchema = z.strictObject({
  name: nameSchema.optional(),
  /** Stages of the plan; absent for the recommended ones, without those that trim. */
  plan: curationPlanInputSchema.optional(),
  /** Weight of the nearest episodes. */
  factor: z.number().min(1.01).max(100).default(2),
  /** Format of the staged export; absent for that of the project’s target profile. */
  format: createExportSchema.shape.format,
  rate_hz: createExportSchema.shape.rate_hz,
  source_id: createExportSchema.shape.source_id,
  dataset_path: createExportSchema.shape.dataset_path,
});

export const closedLoopSchema = z
  .strictObject({
    import_id: idSchema('fim'),
    /** Slice of the nearest episodes; `null` if it was deleted. */
    slice: sliceSchema.nullable(),
    boosted: count,
    curation: curationPlanSummarySchema,
    /** The staged export, which a person has to seal. */
    export: exportSchema,
  })
  .meta({ id: 'ClosedLoop' });
export type ClosedLoop = z.infer<typeof closedLoopSchema>;
