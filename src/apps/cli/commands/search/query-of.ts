import { AssayError } from '#core';
import { type SearchQuery, searchQuerySchema } from '#core/api';
import { type FilterArguments, filterOf, momentOf, type RankArguments } from './search-options.ts';

/** What options ask of a service; there an episode is named by its id. Throws `usage`. */
export function queryOf(args: FilterArguments & RankArguments): SearchQuery {
  const moment = momentOf(args);
  const { about, like, by } = args;
  const rank =
    about !== undefined
      ? { by: 'text', text: about }
      : like === undefined
        ? null
        : { by: 'like', episode_id: like, descriptor: by, moment };
  const parsed = searchQuerySchema.safeParse({ filter: filterOf(args), rank });
  if (parsed.success) return parsed.data;
  throw new AssayError(
    'usage',
    `--${like === undefined ? 'about' : 'like'} cannot be taken: ${parsed.error.issues[0].message}`,
    {
      advice: 'at a service an episode is named by its id, ep_…',
    },
  );
}
