import type { episodeAnnotationOperations } from '#operations';
import {
  annotateEpisode,
  editDenseText,
  getAnnotationPart,
  getEpisodeAnnotation,
  listEpisodeAnnotations,
} from '#services';
import { etagMatches } from '../etag.ts';
import type { HandlersOf } from '../handler.ts';

export const episodeAnnotationHandlers = {
  list_episode_annotations: ({ store, call }, { params }) => listEpisodeAnnotations(store, call, params),
  get_episode_annotation: ({ store, call }, { params }) => getEpisodeAnnotation(store, call, params),
  get_annotation_part: async ({ store, call, headers }, { params }) => {
    const { media_type: content_type, hash, bytes } = await getAnnotationPart(store, call, params);
    const tag = `"${hash}"`;
    const isKnown = etagMatches(headers['if-none-match']?.toString(), tag);
    return { content_type, body: isKnown ? '' : await bytes(), headers: { etag: tag } };
  },
  annotate_episode: ({ store, call, signal }, { params, body }) =>
    annotateEpisode(store, call, { ...params, ...body }, { signal }),
  edit_dense_text: ({ store, call }, { params, body }) => editDenseText(store, call, { ...params, ...body }),
} satisfies HandlersOf<typeof episodeAnnotationOperations>;
