import { z } from 'zod';
import { kindSchema } from '../kinds.ts';
import { idSchema, nameSchema, pageQuery, scoreSchema, timeSchema } from '../primitives.ts';
import { anyOf, anyText } from '../query-lists.ts';
import { streamFactsSchema } from './episode-streams.ts';
import { componentSchema, findingSchema, flagSchema, receiptSchema } from './receipt.ts';
import { actorIdSchema } from './tenancy.ts';

export const decisionSchema = z.enum(['accept', 'review', 'reject']);
const outcomeSchema = z.enum(['success', 'failure', 'unknown']);
const flagCode = z.string().regex(/^[a-z0-9_]{1,60}$/);
const seconds = z.number();

/** Sort orders of episode lists; `-` reverses the order. Episodes without a score count as worse than any score. */
export const episodeSorts = [
  'score',
  '-score',
  'duration_s',
  '-duration_s',
  'created',
  '-created',
  'name',
] as const;
export type EpisodeSort = (typeof episodeSorts)[number];

/** A tag of an episode: 1 to 60 characters. */
export const tagSchema = nameSchema.max(60);

/** Values of one filter are alternatives, different filters must all hold. */
const filters = {
  decision: anyOf(decisionSchema),
  review_decision: anyOf(z.enum([...decisionSchema.options, 'none'])).meta({
    description: 'Latest review decision; `none` for episodes without a review.',
  }),
  kind: anyOf(kindSchema),
  flag: anyOf(flagCode).meta({ description: 'Episodes with at least one of these flags.' }),
  tags: anyOf(tagSchema).meta({ description: 'Tag set by users.' }),
  outcome: anyOf(outcomeSchema),
  source_id: anyOf(idSchema('src')),
  run_id: anyOf(idSchema('run')).meta({ description: 'Episodes last evaluated by this run.' }),
  task: anyText.meta({ description: 'Exact text; repeat the parameter for several values.' }),
  robot: anyText.meta({ description: 'Exact text; repeat the parameter for several values.' }),
  min_score: z.coerce.number().min(0).max(1).optional(),
  max_score: z.coerce.number().min(0).max(1).optional(),
  min_duration_s: z.coerce.number().min(0).optional(),
  max_duration_s: z.coerce.number().min(0).optional(),
};

export const episodeQuery = z.strictObject({
  ...pageQuery,
  sort: z.enum(episodeSorts).default('-created'),
  ...filters,
});
export const summaryQuery = z.strictObject(filters);

/** Descriptor and filters of an embedding map. */
export const mapQuery = z.strictObject({
  ...filters,
  descriptor: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,40}$/)
    .default('motion')
    .meta({ description: 'Descriptor whose vectors are projected: `motion` or `picture`.' }),
});

/** Episodes as points of a plane: similar episodes are near each other. */
export const embeddingMapSchema = z
  .strictObject({
    descriptor: z.string(),
    version: z.int(),
    /** Meaning of the distance between two points, in a sentence. */
    says: z.string(),
    /** Newest episodes first, at most 4000. */
    points: z.array(
      z.strictObject({
        id: idSchema('ep'),
        receipt_id: idSchema('rcp'),
        name: z.string(),
        /** Coordinates from −1 to 1. */
        x: z.number(),
        y: z.number(),
        /** Decision after reviews. */
        decision: decisionSchema,
        score: z.number().nullable(),
        task: z.string().nullable(),
      }),
    ),
    /** Reasons why other episodes have no point. */
    not_mapped: z.array(z.strictObject({ reason: z.string(), episodes: z.int().positive() })),
    /** True if more episodes match than are read. */
    more: z.boolean(),
  })
  .meta({ id: 'EmbeddingMap' });
export type EmbeddingMap = z.infer<typeof embeddingMapSchema>;

const summary = {
  id: idSchema('ep'),
  project_id: idSchema('prj'),
  source_id: idSchema('src'),
  /** Run that judged it last, and the receipt that this run sealed. */
  run_id: idSchema('run'),
  receipt_id: idSchema('rcp'),
  /** Folder of its dataset, relative to the source; `.` for the source itself. */
  dataset_path: z.string(),
  /** Name in the recording's format. */
  name: z.string(),
  /** Position in its dataset. */
  index: z.int(),
  format: z.string(),
  /** Kind pinned for the project, otherwise the kind detected from its streams. */
  kind: kindSchema,
  decision: decisionSchema,
  /** Score; `null` if nothing could be scored. */
  score: scoreSchema.nullable(),
  graded_fraction: scoreSchema,
  duration_s: seconds,
  /** Time of its second 0 in nanoseconds since 1970; null if the recording does not contain it. */
  start_ns: z.string().nullable(),
  robot: z.string().nullable(),
  task: z.string().nullable(),
  outcome: outcomeSchema,
  /** Codes of the flags raised. */
  flags: z.array(z.string()),
  /** Tags, sorted. */
  tags: z.array(z.string()),
  /** Latest decision of a reviewer that was not withdrawn; `null` if there is none. */
  review_decision: decisionSchema.nullable(),
  reviewed_at: timeSchema.nullable(),
  created_at: timeSchema,
  updated_at: timeSchema,
};

export const updateEpisodeSchema = z.strictObject({
  /** New tags, which replace the existing ones. */
  tags: z.array(tagSchema).max(50),
});

export const episodeSummarySchema = z.strictObject(summary).meta({ id: 'EpisodeSummary' });
export type EpisodeSummary = z.infer<typeof episodeSummarySchema>;

export const reviewSchema = z
  .strictObject({
    id: idSchema('rev'),
    episode_id: idSchema('ep'),
    decision: decisionSchema,
    note: z.string(),
    /** Receipt that the reviewer saw. */
    receipt_id: idSchema('rcp'),
    /** True if that receipt is still the episode's current one. */
    current: z.boolean(),
    created_at: timeSchema,
    created_by: actorIdSchema,
    /** Time at which it was withdrawn, which took it out of effect; `null` if it was not. */
    withdrawn_at: timeSchema.nullable(),
    withdrawn_by: actorIdSchema.nullable(),
  })
  .meta({ id: 'Review' });
export type Review = z.infer<typeof reviewSchema>;

export const createReviewSchema = z.strictObject({
  decision: decisionSchema,
  note: z.string().max(10_000).default(''),
  /**
   * Receipt that the review is about; returns 409 if the episode has been evaluated again since. Absent for the
   * current one.
   */
  receipt_id: idSchema('rcp').optional(),
});

const receiptParts = receiptSchema.shape;

const checkView = z.strictObject({
  /** Weighted mean of the scored checks; `null` if none was scored. */
  score: scoreSchema.nullable(),
  checks: z.array(componentSchema),
});
const signal = z.strictObject({
  signal: z.enum(['actions', 'states', 'cameras', 'instruction', 'outcome', 'labels']),
  status: z.enum(['present', 'absent', 'not_assessable']),
  reason: z.string(),
});

export const episodeSchema = z
  .strictObject({
    ...summary,
    kind_facts: z.strictObject({
      from: z.enum(['pinned', 'streams']),
      by_streams: kindSchema,
      /** Kind that the receipt was evaluated as; a kind pinned later applies from the next run. */
      judged_as: kindSchema,
      evidence: z.array(z.string()),
    }),
    decision_reason: z.string(),
    flag_details: z.array(flagSchema),
    tasks: receiptParts.episode.shape.tasks,
    outcome_facts: receiptParts.episode.shape.outcome,
    /** Findings about the episode's files. */
    findings: receiptParts.findings,
    /** List of what was not evaluated. */
    limits: receiptParts.limits,
    locator: receiptParts.episode.shape.locator,
    sources: receiptParts.sources,
    grippers: receiptParts.grippers,
    streams: z.array(streamFactsSchema),
    views: z.strictObject({
      integrity: checkView,
      semantic: checkView,
      utility: z.strictObject({ signals: z.array(signal) }),
    }),
    receipt: z.strictObject({
      id: idSchema('rcp'),
      content_hash: z.string(),
      settings_hash: z.string(),
      engine_version: z.string(),
      sealed_at: timeSchema,
    }),
    review: reviewSchema.nullable(),
    links: z.strictObject({
      receipt: z.string(),
      streams: z.string(),
      reviews: z.string(),
      annotations: z.string(),
      run: z.string(),
      source: z.string(),
      project: z.string(),
    }),
  })
  .meta({ id: 'Episode' });
export type Episode = z.infer<typeof episodeSchema>;

/** Finding about recordings as a whole. */
export const projectFindingSchema = z
  .strictObject({
    source_id: idSchema('src'),
    run_id: idSchema('run'),
    /** Folder of the dataset in its source; null if the finding concerns the whole source. */
    dataset_path: z.string().nullable(),
    format: z.string().nullable(),
    ...findingSchema.shape,
  })
  .meta({ id: 'ProjectFinding' });
export type ProjectFinding = z.infer<typeof projectFindingSchema>;

export const findingQuery = z.strictObject({
  ...pageQuery,
  severity: anyOf(z.enum(['blocking', 'error', 'warning', 'info'])),
  code: anyOf(z.string().regex(/^[a-z0-9_]{1,80}$/)),
  source_id: anyOf(idSchema('src')),
});

const count = z.int().nonnegative();
const shareOf = <Value extends z.ZodType>(value: Value) =>
  z.array(z.strictObject({ value, episodes: count }));

export const projectSummarySchema = z
  .strictObject({
    project_id: idSchema('prj'),
    episodes: count,
    duration_s: seconds,
    sources: count,
    /** Number of different task texts. */
    tasks: count,
    /** Automatic decisions. */
    decisions: z.strictObject({ accept: count, review: count, reject: count }),
    /** Decisions in effect: the latest of a reviewer, else the automatic one. */
    effective_decisions: z.strictObject({ accept: count, review: count, reject: count }),
    score: z.strictObject({
      lowest: scoreSchema.nullable(),
      median: scoreSchema.nullable(),
      highest: scoreSchema.nullable(),
      unscored: count,
      /** Number of scored episodes in each of 20 equal ranges from 0 to 1; the last one includes 1. */
      histogram: z.array(count),
    }),
    reviews: z.strictObject({
      reviewed: count,
      /** Number of reviews that differ from the automatic decision. */
      overruled: count,
    }),
    /** Most frequent first. */
    kinds: shareOf(kindSchema),
    outcomes: shareOf(outcomeSchema),
    robots: shareOf(z.string().nullable()),
    flags: shareOf(z.string()),
    /** Findings of the newest finished run of each source, independent of filters. */
    findings: z.strictObject({ blocking: count, error: count, warning: count, info: count }),
    /** Worst episodes, at most five, worst first. */
    worst: z.array(episodeSummarySchema),
    /** Summary in words; the same facts give the same text. */
    text: z.string(),
  })
  .meta({ id: 'ProjectSummary' });
export type ProjectSummary = z.infer<typeof projectSummarySchema>;
