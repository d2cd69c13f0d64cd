import type { episodeOperations } from '#operations';
import { listEpisodes } from '#services';
import type { HandlersOf } from '../handler.ts';

export const episodeHandlers = {
  list_episodes: ({ store, call }, { params, query }) => listEpisodes(store, call, { ...params, ...query }),
} satisfies HandlersOf<typeof episodeOperations>;
