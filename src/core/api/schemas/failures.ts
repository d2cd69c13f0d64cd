import { z } from 'zod';
import { idSchema, nameSchema, scoreSchema, timeSchema } from '../primitives.ts';
import { curationPlanInputSchema, curationPlanSummarySchema } from './curation.ts';
import { createExportSchema, exportSchema } from './exports.ts';
import { sliceSchema } from './search.ts';
import { actorIdSchema } from './tenancy.ts';

const count = z.int().nonnegative();
/** NUL and half a surrogate pair are kept nowhere. */
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

/** Failures of one import at most. */
export const maxFailures = 1000;
/** Samples and dimensions of a trajectory at most. */
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
    /** Samples a second, where there are no times. */
    rate_hz: z.number().positive().max(1e6).optional(),
    /** Times of the samples, ascending. */
    times_s: z.array(z.number()).min(2).max(maxRows).optional(),
    /** A row a sample: measured joints or poses, in the order and units of the training data. */
    state: rows.optional(),
    /** The same of commands; compared where there is no state. */
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

/** One attempt at which a policy failed. What is compared is its trajectory, else its task. */
export const failureRecordSchema = z
  .strictObject({
    /** Id from the evaluation, unique within an import. */
    id: text(200),
    task: text(2000).optional(),
    /** Description of the failure from the evaluation. */
    failure_mode: text(500).optional(),
    /** When in the attempt. */
    time_s: z.number().min(0).max(1e9).optional(),
    occurred_at: timeSchema.optional(),
    /** An episode that holds the attempt, by id or by name. */
    episode: text(2000).optional(),
    /** A recording beside the file that holds the attempt; read by `assay loop`, not by a service. */
    recording: text(2000).optional(),
    trajectory: trajectorySchema.optional(),
  })
  .meta({ id: 'FailureRecord' });
export type FailureRecord = z.infer<typeof failureRecordSchema>;

const failureFormats = ['json', 'csv', 'lerobot-eval'] as const;
export type FailureFormat = (typeof failureFormats)[number];

const scoringMembers = {
  /** Nearest episodes that are looked at for each failure. */
  neighbours: z.int().min(1).max(20).default(5),
  /** A failure whose novelty is this or more is out of the data. */
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
    /** The episode of the tenant that holds it. */
    episode_id: idSchema('ep').nullable(),
    /** `near`: the training data has episodes like it. `novel`: it is out of the data. */
    verdict: verdictSchema,
    /** Reason why it is not assessable. */
    reason: z.string().nullable(),
    /** Basis of the comparison. */
    by: z.enum(['motion', 'words']).nullable(),
    /** Distance to the k-th nearest episode of the baseline. */
    distance: z.number().nullable(),
    /** Share of the baseline whose own k-th nearest is nearer than that. */
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
    /** The nearest episodes of the near failures; null where none is near. */
    slice_id: idSchema('slc').nullable(),
    created_at: timeSchema,
    created_by: actorIdSchema,
  })
  .meta({ id: 'FailureImport' });
export type FailureImport = z.infer<typeof failureImportSchema>;

export const closeLoopSchema = z.strictObject({
  name: nameSchema.optional(),
  /** Stages to curate by; absent: what is recommended. Those that trim are left out of the recommended ones. */
  plan: curationPlanInputSchema.optional(),
  /** Weight of the nearest episodes. */
  factor: z.number().min(1.01).max(100).default(2),
  /** Format of the staged export; absent: that of the project’s target profile. */
  format: createExportSchema.shape.format,
  rate_hz: createExportSchema.shape.rate_hz,
  source_id: createExportSchema.shape.source_id,
  dataset_path: createExportSchema.shape.dataset_path,
});

export const closedLoopSchema = z
  .strictObject({
    import_id: idSchema('fim'),
    /** The slice of the nearest episodes, unless somebody has deleted it. */
    slice: sliceSchema.nullable(),
    boosted: count,
    curation: curationPlanSummarySchema,
    /** Staged: it waits for a person’s seal. */
    export: exportSchema,
  })
  .meta({ id: 'ClosedLoop' });
export type ClosedLoop = z.infer<typeof closedLoopSchema>;
