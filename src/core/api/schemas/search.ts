import { z } from 'zod';
import { layerIdSchema } from '../annotation-layers.ts';
import { kindSchema } from '../kinds.ts';
import { idSchema, nameSchema, pageQuery, scoreSchema, timeSchema } from '../primitives.ts';
import { episodeSummarySchema, tagSchema } from './episodes.ts';
import { actorIdSchema } from './tenancy.ts';

const maxFilterValues = 50;
const anyOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(maxFilterValues).optional();
/** Text from a recording, without NUL and unpaired surrogates, which are never stored. */
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
const seconds = z.number().min(0).max(1e9);
const decisionSchema = z.enum(['accept', 'review', 'reject']);
const outcomeSchema = z.enum(['success', 'failure', 'unknown']);

/** Values of one filter are alternatives; episodes must match all filters. */
export const searchFilterSchema = z
  .strictObject({
    text: text(1000).optional().meta({ description: 'Words that must all occur in the task, in any order.' }),
    task: anyOf(text(2000)).meta({ description: 'Exact text of the task.' }),
    outcome: anyOf(outcomeSchema),
    robot: anyOf(text(2000)).meta({ description: 'Exact name of the robot.' }),
    object: anyOf(text(200)).meta({
      description:
        'Current name of an object class, in the recording’s labels or found by an annotation layer.',
    }),
    flag: anyOf(z.string().regex(/^[a-z0-9_]{1,60}$/)).meta({
      description: 'Flag raised for the episode.',
    }),
    decision: anyOf(decisionSchema),
    kind: anyOf(kindSchema),
    min_score: scoreSchema.optional(),
    max_score: scoreSchema.optional(),
    min_duration_s: seconds.optional(),
    max_duration_s: seconds.optional(),
  })
  .meta({ id: 'EpisodeSearchFilter' });
/** Conditions that an episode must meet. */
export type EpisodeSearchFilter = z.infer<typeof searchFilterSchema>;

const filterSchema = z
  .strictObject({
    ...searchFilterSchema.shape,
    review_decision: anyOf(z.enum([...decisionSchema.options, 'none'])).meta({
      description: 'Latest review decision; `none` for episodes without a review.',
    }),
    tags: anyOf(tagSchema).meta({ description: 'Tag set by users.' }),
    layer: anyOf(layerIdSchema).meta({
      description: 'Annotation layers that the episode must have (all of them).',
    }),
    source_id: anyOf(idSchema('src')),
    run_id: anyOf(idSchema('run')).meta({ description: 'Episodes last evaluated by this run.' }),
  })
  .meta({ id: 'SearchFilter' });

const spanSchema = z
  .strictObject({ from_s: seconds, to_s: seconds })
  .refine(({ from_s, to_s }) => to_s > from_s, 'to_s must be greater than from_s');
/** Name of a descriptor. */
const descriptorSchema = z.string().regex(/^[a-z][a-z0-9_-]{0,40}$/);

const rankSchema = z
  .discriminatedUnion('by', [
    z.strictObject({
      by: z.literal('text'),
      text: text(1000),
      match: z.enum(['meaning', 'words']).optional().meta({
        description:
          'Compare the meaning of the text, or its words. Defaults to the meaning if a text embedding model is installed and the project is indexed, otherwise to the words.',
      }),
    }),
    z.strictObject({
      by: z.literal('like'),
      episode_id: idSchema('ep'),
      descriptor: descriptorSchema.default('motion'),
      /** Segment of that episode to compare; null for the whole episode. */
      moment: spanSchema.nullable().default(null),
    }),
  ])
  .meta({ id: 'SearchRank' });

/** Search query; with defaults filled in it is the query as it was understood. */
export const searchQuerySchema = z
  .strictObject({
    filter: filterSchema.prefault({}),
    /** Ranking; `null` sorts newest first. */
    rank: rankSchema.nullable().default(null),
  })
  .meta({ id: 'SearchQuery' });
export type SearchQuery = z.infer<typeof searchQuerySchema>;

export const searchBodySchema = z.strictObject({
  ...searchQuerySchema.shape,
  limit: z.int().min(1).max(500).default(50),
  cursor: pageQuery.cursor,
});

const count = z.int().nonnegative();
const coverageSchema = z
  .strictObject({
    /** Number of episodes that match the filters; a similarity search does not count the episode compared with. */
    matched: count,
    /** Number of those that could be ranked. */
    ranked: count,
    /** Reasons why the others could not be ranked, most frequent first. */
    not_ranked: z.array(z.strictObject({ reason: z.string(), episodes: count })),
  })
  .meta({ id: 'SearchCoverage' });
export type SearchCoverage = z.infer<typeof coverageSchema>;

const rankedBySchema = z
  .strictObject({
    /** Basis of the comparison: `meaning` or `words` of a text, or the descriptor of an episode, such as `motion`. */
    id: z.string(),
    version: z.int(),
    says: z.string(),
    /** Model that computed the vectors; only for `meaning`. */
    model: z.string().optional(),
    /** Why a text was ranked by words although no `match` was requested, such as weights that are not installed. */
    note: z.string().optional(),
    /** True if every vector was compared, false if an approximate index was used. */
    exact: z.boolean(),
    /** Segment that was compared, if one was requested. */
    moment: z.strictObject({ from_s: z.number(), to_s: z.number() }).nullable(),
  })
  .meta({ id: 'RankedBy' });
export type ServedRanking = z.infer<typeof rankedBySchema>;
const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const searchAnswerSchema = z
  .strictObject({
    query: searchQuerySchema,
    ranked_by: rankedBySchema.nullable(),
    coverage: coverageSchema,
    items: z.array(
      z.strictObject({
        /** Score from 0 to 1, comparable within one answer; null without ranking. */
        score: scoreSchema.nullable(),
        why: z.string(),
        /** Most similar part of the episode; null if parts were not compared. */
        moment: z.strictObject({ from_s: z.number(), to_s: z.number() }).nullable(),
        episode: episodeSummarySchema,
      }),
    ),
    next_cursor: z.string().nullable(),
    /** SHA-256 of the canonical JSON (RFC 8785) of query, id, version, model and moment of the ranking, numbers of the coverage, and each item’s episode id, receipt and score. */
    response_hash: digest,
  })
  .meta({ id: 'SearchAnswer' });
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;

/** Query behind a slice of the episodes nearest to failures. */
const failureQuerySchema = z
  .strictObject({
    failures: z.strictObject({
      import_id: idSchema('fim'),
      neighbours: z.int().positive(),
      novel_from: scoreSchema,
    }),
  })
  .meta({ id: 'FailureQuery' });
const sliceQuerySchema = z.union([searchQuerySchema, failureQuerySchema]);
export type SliceQuery = z.infer<typeof sliceQuerySchema>;

/** Maximum number of members of a slice that does not contain all matches. */
const maxMembers = 100_000;

export const createSliceSchema = z.strictObject({
  name: nameSchema,
  query: searchQuerySchema.prefault({}),
  /** Number of episodes to take from the top of the ranking. */
  most: z.int().min(1).max(maxMembers).default(maxMembers),
});

export const sliceSchema = z
  .strictObject({
    id: idSchema('slc'),
    project_id: idSchema('prj'),
    name: z.string(),
    query: sliceQuerySchema,
    ranked_by: rankedBySchema.nullable(),
    coverage: coverageSchema,
    /** SHA-256 of the readiness settings that were in effect. */
    settings_hash: digest,
    /** SHA-256 of the canonical JSON of query, id, version, model and moment of the ranking, numbers of the coverage, and each member’s id, receipt and score. */
    response_hash: digest,
    episodes: count,
    /** True for a locked evaluation set, whose episodes cannot be exported for training. */
    locked: z.boolean(),
    locked_at: timeSchema.nullable(),
    locked_by: actorIdSchema.nullable(),
    created_at: timeSchema,
    created_by: actorIdSchema,
  })
  .meta({ id: 'Slice' });
export type Slice = z.infer<typeof sliceSchema>;

export const sliceMemberSchema = z
  .strictObject({
    place: count,
    episode_id: idSchema('ep'),
    /** `content_hash` of its receipt when the slice was made. */
    receipt_hash: z.string(),
    score: scoreSchema.nullable(),
    /** Current state of the episode, whose receipt may have changed. */
    episode: episodeSummarySchema.nullable(),
  })
  .meta({ id: 'SliceMember' });
export type SliceMember = z.infer<typeof sliceMemberSchema>;

const sideSchema = z.strictObject({ episodes: count, episode_ids: z.array(idSchema('ep')) });
export const sliceDiffSchema = z
  .strictObject({
    slice_id: idSchema('slc'),
    /** The other slice; null for the current result of the slice's query. */
    with: idSchema('slc').nullable(),
    /** Number of episodes in both. */
    both: count,
    /** Number of those with a different receipt. */
    judged_again: count,
    /** Ids in this slice and not in the other, at most `limit`, in order. */
    only_here: sideSchema,
    only_there: sideSchema,
  })
  .meta({ id: 'SliceDiff' });
export type SliceDiff = z.infer<typeof sliceDiffSchema>;
