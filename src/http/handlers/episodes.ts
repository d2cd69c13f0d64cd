import type { episodeOperations } from '#operations';
import {
  createReview,
  getEpisode,
  getReceipt,
  listEpisodes,
  listFindings,
  listReviews,
  summariseProject,
} from '#services';
import type { HandlersOf } from '../handler.ts';

export const episodeHandlers = {
  list_episodes: ({ store, call }, { params, query }) => listEpisodes(store, call, { ...params, ...query }),
  get_episode: ({ store, call }, { params }) => getEpisode(store, call, params),
  get_receipt: async ({ store, call }, { params, query }) => {
    const { json, content_hash } = await getReceipt(store, call, { ...params, ...query });
    return { content_type: 'application/json', body: json, headers: { etag: `"${content_hash}"` } };
  },
  list_reviews: ({ store, call }, { params, query }) => listReviews(store, call, { ...params, ...query }),
  create_review: ({ store, call }, { params, body }) => createReview(store, call, { ...params, ...body }),
  list_project_findings: ({ store, call }, { params, query }) =>
    listFindings(store, call, { ...params, ...query }),
  summarise_project: ({ store, call }, { params, query }) =>
    summariseProject(store, call, { ...params, ...query }),
} satisfies HandlersOf<typeof episodeOperations>;
