import { z } from 'zod';

/** Values of one filter at most; more would not fit a URL either. */
const most = 50;

/** A filter that takes several values of a closed set: `a,b`, or the name repeated. Any of them matches. */
export const anyOf = <Item extends z.ZodType>(item: Item) =>
  z
    .preprocess(
      (given) => [given].flat().flatMap((text) => String(text).split(',')),
      z.array(item).min(1).max(most),
    )
    .optional();

/** A filter that takes several texts, which may hold commas: the name repeated. Any of them matches. */
export const anyText = z
  .preprocess((given) => [given].flat(), z.array(z.string().min(1).max(2000)).min(1).max(most))
  .optional();
