import { z } from 'zod';
import { kindSchema } from '../kinds.ts';
import { scoreSchema } from '../primitives.ts';

const most = 50;
const anyOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(most).optional();
/** A text of a recording; half a surrogate pair and NUL cannot be asked for, since none is kept. */
const text = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine(
      (value) => value.isWellFormed() && !value.includes('\0'),
      'may not hold NUL or half a surrogate pair',
    );
const seconds = z.number().min(0).max(1e9);
const decisionSchema = z.enum(['accept', 'review', 'reject']);
const outcomeSchema = z.enum(['success', 'failure', 'unknown']);

/** Values of one filter are alternatives, different filters must all hold. */
export const searchFilterSchema = z
  .strictObject({
    text: text(1000).optional().meta({ description: 'words that the task must all have, in any order' }),
    task: anyOf(text(2000)).meta({ description: 'the whole text of the task' }),
    outcome: anyOf(outcomeSchema),
    robot: anyOf(text(2000)).meta({ description: 'the whole name' }),
    object: anyOf(text(200)).meta({ description: 'a class of the labels that the recording carries' }),
    flag: anyOf(z.string().regex(/^[a-z0-9_]{1,60}$/)).meta({
      description: 'a failure mode: raised, whatever else was',
    }),
    decision: anyOf(decisionSchema),
    kind: anyOf(kindSchema),
    min_score: scoreSchema.optional(),
    max_score: scoreSchema.optional(),
    min_duration_s: seconds.optional(),
    max_duration_s: seconds.optional(),
  })
  .meta({ id: 'EpisodeSearchFilter' });
/** What an episode must fulfil, wherever it lies. */
export type EpisodeSearchFilter = z.infer<typeof searchFilterSchema>;
