import type { episodeOperations } from '#core/api/operations';
import {
  compareEpisodes,
  createReview,
  getEpisode,
  getFrame,
  getPlayback,
  getPoses,
  getReceipt,
  getStream,
  getVideo,
  listEpisodes,
  listFindings,
  listReviews,
  listStreams,
  mapEpisodes,
  summariseProject,
  updateEpisode,
  withdrawReview,
} from '#service/operations';
import { etagMatches } from '../etag.ts';
import type { HandlersOf } from '../handler.ts';

/** Handlers of episodes, their streams, frames, videos and reviews. */
export const episodeHandlers = {
  list_episodes: ({ store, call }, { params, query }) => listEpisodes(store, call, { ...params, ...query }),
  get_episode: ({ store, call }, { params }) => getEpisode(store, call, params),
  update_episode: ({ store, call }, { params, body }) => updateEpisode(store, call, { ...params, ...body }),
  get_receipt: async ({ store, call }, { params, query }) => {
    const { json, content_hash } = await getReceipt(store, call, { ...params, ...query });
    return { content_type: 'application/json', body: json, headers: { etag: `"${content_hash}"` } };
  },
  list_streams: ({ store, call }, { params }) => listStreams(store, call, params),
  get_stream: async ({ store, call }, { params, query }) => ({
    content_type: 'application/json',
    body: await getStream(store, call, { ...params, ...query }),
  }),
  get_frame: async ({ store, call, headers }, { params, query }) => {
    const { etag, picture } = await getFrame(store, call, { ...params, ...query });
    const tag = `"${etag}"`;
    const content_type = 'image/jpeg';
    // Nothing is decoded if the client has the image.
    if (etagMatches(headers['if-none-match']?.toString(), tag))
      return { content_type, body: '', headers: { etag: tag } };
    const { bytes, time_s } = await picture();
    return { content_type, body: bytes, headers: { etag: tag, 'x-frame-time-s': String(time_s) } };
  },
  get_playback: ({ store, call }, { params, query }) => getPlayback(store, call, { ...params, ...query }),
  get_poses: ({ store, call }, { params, query }) => getPoses(store, call, { ...params, ...query }),
  get_video: async ({ store, call, headers }, { params, query }) => {
    const { etag, film } = await getVideo(store, call, { ...params, ...query });
    const tag = `"${etag}"`;
    // Nothing is encoded if the client has the video.
    if (etagMatches(headers['if-none-match']?.toString(), tag))
      return { content_type: 'video/mp4', body: '', headers: { etag: tag } };
    const { mime, starts_s, made, ...body } = await film();
    const videoHeaders = { 'x-video-starts-s': String(starts_s), 'x-video-made': made };
    return { content_type: mime, body, headers: { etag: tag, ...videoHeaders } };
  },
  list_reviews: ({ store, call }, { params, query }) => listReviews(store, call, { ...params, ...query }),
  create_review: ({ store, call }, { params, body }) => createReview(store, call, { ...params, ...body }),
  withdraw_review: ({ store, call }, { params }) => withdrawReview(store, call, params),
  list_project_findings: ({ store, call }, { params, query }) =>
    listFindings(store, call, { ...params, ...query }),
  summarise_project: ({ store, call }, { params, query }) =>
    summariseProject(store, call, { ...params, ...query }),
  map_episodes: ({ store, call }, { params, query }) => mapEpisodes(store, call, { ...params, ...query }),
  compare_episodes: ({ store, call }, { params, body }) =>
    compareEpisodes(store, call, { ...params, ...body }),
} satisfies HandlersOf<typeof episodeOperations>;
