import { z } from 'zod';

/** Maximum number of values of one filter; more would not fit into a URL. */
const maxFilterValues = 50;

/**
 * Creates the optional schema of a filter with 1 to 50 values of a closed set, written `a,b` or by repeating the
 * name, and parsed into a list. Any of them matches.
 */
export const anyOf = <Item extends z.ZodType>(item: Item) =>
  z
    .preprocess(
      (input) => [input].flat().flatMap((text) => String(text).split(',')),
      z.array(item).min(1).max(maxFilterValues),
    )
    .optional();

/** Schema of a filter with several texts, which may contain commas, written by repeating the name. Any of them matches. */
export const anyText = z
  .preprocess((input) => [input].flat(), z.array(z.string().min(1).max(2000)).min(1).max(maxFilterValues))
  .optional();
