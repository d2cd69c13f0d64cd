import { z } from 'zod';
import { type IdPrefix, idPattern } from '#core';

/** Returns a fixed, well-formed id with a prefix, for examples in the API descriptions; no object has it. */
export const exampleId = (prefix: IdPrefix): string => `${prefix}_01k5w3p9x4f6zv2h7c8d0aqrst`;

/** Creates the schema of ids with a prefix: the prefix, `_` and 26 characters of base32. */
export const idSchema = (prefix: IdPrefix) =>
  z
    .string()
    .regex(idPattern(prefix))
    .meta({
      description: `Id: \`${prefix}_\` followed by a time-ordered UUID in base32.`,
      examples: [exampleId(prefix)],
    });

/** Any JSON value. It has an id because it refers to itself. */
export const jsonSchema: z.ZodType = z
  .lazy(() =>
    z.union([
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(jsonSchema),
      z.record(z.string(), jsonSchema),
    ]),
  )
  .meta({ id: 'JsonValue' });

/** Largest version number: what the database's 32-bit integer holds. */
export const maxVersion = 2_147_483_647;

/** RFC 3339, UTC. */
export const timeSchema = z.iso.datetime().meta({ description: 'Time in UTC, RFC 3339.' });

/** 0 to 1. */
export const scoreSchema = z.number().min(0).max(1);

/** Display name: trimmed, 1 to 200 characters, no control characters. */
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are refused
  .regex(/^[^\u0000-\u001f\u007f]*$/)
  .refine((name) => name.isWellFormed(), 'must not contain an unpaired surrogate');

/** Query parameters of every list. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(500).default(50),
  /** `next_cursor` of the page before. */
  cursor: z.string().max(1000).optional(),
};

/** Creates the strict schema of one page of a list: `items` and `next_cursor`, which is `null` on the last page. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() });
