import { z } from 'zod';
import { idSchema, scoreSchema } from '../primitives.ts';
import { decisionSchema } from './episodes.ts';

const count = z.int().nonnegative();
const seconds = z.number().nonnegative();
const part = z.strictObject({ value: z.string().nullable(), episodes: count });

const chosen = z.union([
  z.strictObject({ run_id: idSchema('run') }),
  z.strictObject({ slice_id: idSchema('slc') }),
]);

/** Two runs, two slices, or a run and a slice. */
export const compareEpisodesSchema = z
  .strictObject({ one: chosen, other: chosen })
  .meta({ id: 'CompareEpisodes' });

const sideSchema = z
  .strictObject({
    run_id: idSchema('run').nullable(),
    slice_id: idSchema('slc').nullable(),
    episodes: count,
    duration_s: seconds,
    /** Counts of decisions by the checks. */
    decisions: z.strictObject({ accept: count, review: count, reject: count }),
    /** Median over the episodes with a score; `null` if none has one. */
    median_score: scoreSchema.nullable(),
    /** Most frequent first, at most fifty of each; null if unknown. */
    flags: z.array(z.strictObject({ value: z.string(), episodes: count })),
    tasks: z.array(part),
    robots: z.array(part),
    outcomes: z.array(part),
    /** Bins of equal width that both sides share; the last includes its upper edge. */
    durations: z.array(z.strictObject({ from_s: seconds, to_s: seconds, episodes: count })),
  })
  .meta({ id: 'ComparedSide' });
export type ComparedSide = z.infer<typeof sideSchema>;

const judged = z.strictObject({
  decision: decisionSchema,
  score: scoreSchema.nullable(),
  flags: z.array(z.string()),
});

export const episodeComparisonSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    one: sideSchema,
    other: sideSchema,
    both: count,
    only_one: count,
    only_other: count,
    /**
     * Number of episodes of both sides whose automatic decision differs; the next member counts those whose flags
     * differ.
     */
    decided_otherwise: count,
    flagged_otherwise: count,
    /** First changes, decisions before flags, sorted by name. */
    changes: z.array(
      z.strictObject({ episode_id: idSchema('ep'), name: z.string(), one: judged, other: judged }),
    ),
  })
  .meta({ id: 'EpisodeComparison' });
export type EpisodeComparison = z.infer<typeof episodeComparisonSchema>;
