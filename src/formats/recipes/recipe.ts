import { z } from 'zod';
import { parseValidatedDocument } from '../shared/text/checked-document.ts';

/** Rule that splits a recording into episodes. */
export type Split =
  | { readonly by: 'whole' }
  | {
      readonly by: 'value';
      readonly stream: string;
      readonly dimension: number | string;
      readonly above?: number;
      readonly below?: number;
      readonly equals?: number;
    }
  | {
      readonly by: 'edge';
      readonly stream: string;
      readonly dimension: number | string;
      readonly edge: 'rising' | 'falling' | 'both';
      readonly threshold: number;
    }
  | { readonly by: 'message'; readonly stream: string; readonly end_stream?: string }
  | { readonly by: 'event'; readonly label: string; readonly end_label?: string }
  | { readonly by: 'gap'; readonly longer_than_s: number; readonly streams?: readonly string[] }
  | { readonly by: 'window'; readonly length_s: number; readonly overlap_s: number };

/**
 * User-written rules for cutting recordings into episodes if their format has no boundaries, with defaults filled in.
 */
export type Recipe = {
  readonly assay_recipe: 1;
  readonly split: Split;
  /** Shorter spans are left out. */
  readonly min_length_s: number;
  /** Longer spans are divided into chunks of equal length that overlap by `overlap_s`. */
  readonly max_length_s?: number;
  readonly overlap_s: number;
};

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
    assay_recipe: z.literal(1, { error: 'must be 1, the only supported version' }),
    split: splitSchema.default({ by: 'whole' }),
    min_length_s: z.number().nonnegative().max(1e7).default(0),
    max_length_s: seconds.optional(),
    overlap_s: z.number().nonnegative().max(1e7).default(0),
  })
  .superRefine(({ split, min_length_s, max_length_s, overlap_s }, context) => {
    const say = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (split.by === 'value') {
      const bounds = [split.above, split.below, split.equals].filter((bound) => bound !== undefined).length;
      if (bounds === 0)
        say(['split'], 'must set above, below or equals, to define when an episode is in progress');
    }
    if (split.by === 'window' && split.overlap_s >= split.length_s)
      say(['split', 'overlap_s'], 'must be less than length_s, otherwise windows do not advance');
    if (max_length_s !== undefined && overlap_s >= max_length_s)
      say(['overlap_s'], 'must be less than max_length_s, otherwise chunks do not advance');
    if (max_length_s === undefined && overlap_s > 0)
      say(['overlap_s'], 'requires max_length_s; for windows, use split.overlap_s');
    if (max_length_s !== undefined && min_length_s >= max_length_s)
      say(['min_length_s'], 'must be less than max_length_s');
  });

/** Parses a user-written recipe in YAML or JSON; throws `invalid_settings` naming line and path. */
export function parseRecipe(text: string, path: string): Recipe {
  const { split, ...rest } = parseValidatedDocument(text, recipeSchema, {
    path,
    what: 'recipe',
    code: 'invalid_settings',
    advice: 'correct these lines; see docs/recipes.md for all settings',
  });
  // Drops undefined members, so that equal recipes have equal hashes.
  return JSON.parse(JSON.stringify({ ...rest, split }));
}
