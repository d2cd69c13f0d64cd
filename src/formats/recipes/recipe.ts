import { z } from 'zod';
import { checkedDocument } from '../shared/text/checked-document.ts';
import type { Recipe } from './recipe-type.ts';

const name = z.string().min(1).max(500);
const seconds = z.number().positive().max(1e7);
const column = z.union([z.int().nonnegative(), name]).default(0);

const splitSchema = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('whole') }),
  z.strictObject({
    by: z.literal('value'),
    stream: name,
    dimension: column,
    above: z.number().optional(),
    below: z.number().optional(),
    equals: z.number().optional(),
  }),
  z.strictObject({
    by: z.literal('edge'),
    stream: name,
    dimension: column,
    edge: z.enum(['rising', 'falling', 'both']).default('rising'),
    threshold: z.number().default(0.5),
  }),
  z.strictObject({ by: z.literal('message'), stream: name, end_stream: name.optional() }),
  z.strictObject({ by: z.literal('event'), label: name, end_label: name.optional() }),
  z.strictObject({
    by: z.literal('gap'),
    longer_than_s: seconds,
    streams: z.array(name).min(1).max(100).optional(),
  }),
  z.strictObject({
    by: z.literal('window'),
    length_s: seconds,
    overlap_s: z.number().nonnegative().default(0),
  }),
]);

const recipeSchema = z
  .strictObject({
    assay_recipe: z.literal(1, { error: 'this version reads assay_recipe: 1' }),
    split: splitSchema.default({ by: 'whole' }),
    min_length_s: z.number().nonnegative().max(1e7).default(0),
    max_length_s: seconds.optional(),
    overlap_s: z.number().nonnegative().max(1e7).default(0),
  })
  .superRefine(({ split, min_length_s, max_length_s, overlap_s }, context) => {
    const say = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (split.by === 'value') {
      const said = [split.above, split.below, split.equals].filter((bound) => bound !== undefined).length;
      if (said === 0) say(['split'], 'say above, below or equals: when the recording is inside an episode');
    }
    if (split.by === 'window' && split.overlap_s >= split.length_s)
      say(['split', 'overlap_s'], 'must be less than length_s, or windows do not advance');
    if (max_length_s !== undefined && overlap_s >= max_length_s)
      say(['overlap_s'], 'must be less than max_length_s, or chunks do not advance');
    if (max_length_s === undefined && overlap_s > 0)
      say(
        ['overlap_s'],
        'chunks overlap only where max_length_s cuts; windows have an overlap_s of their own',
      );
    if (max_length_s !== undefined && min_length_s >= max_length_s)
      say(['min_length_s'], 'must be less than max_length_s');
  });

/** Reads a recipe that a person wrote, YAML or JSON. Throws `invalid_settings`, naming line and path. */
export function parseRecipe(text: string, path: string): Recipe {
  const { split, ...rest } = checkedDocument(text, recipeSchema, {
    path,
    what: 'recipe',
    code: 'invalid_settings',
    advice: 'correct the lines named; docs/recipes.md has each setting',
  });
  // Without the members that nobody set, so that equal recipes have one hash.
  return JSON.parse(JSON.stringify({ ...rest, split }));
}
