import type { episodeAnnotationOperations } from '#core/api/operations';
import {
  annotateEpisode,
  editDenseText,
  getAnnotationPart,
  getEpisodeAnnotation,
  getOverlay,
  listAnnotationEdits,
  listEpisodeAnnotations,
} from '#service/operations';
import { etagMatches } from '../etag.ts';
import type { HandlersOf } from '../handler.ts';

/** Handlers of the annotations of an episode. */
export const episodeAnnotationHandlers = {
  list_episode_annotations: ({ store, call }, { params }) => listEpisodeAnnotations(store, call, params),
  get_episode_annotation: ({ store, call }, { params }) => getEpisodeAnnotation(store, call, params),
  get_annotation_part: async ({ store, call, headers }, { params }) => {
    const { media_type: content_type, hash, bytes } = await getAnnotationPart(store, call, params);
    const tag = `"${hash}"`;
    const isKnown = etagMatches(headers['if-none-match']?.toString(), tag);
    return { content_type, body: isKnown ? '' : await bytes(), headers: { etag: tag } };
  },
  get_overlay: async ({ store, call, headers }, { params, query }) => {
    const { t: at_s, ...about } = query;
    const { etag, picture } = await getOverlay(store, call, { ...params, ...about, at_s });
    const tag = `"${etag}"`;
    const content_type = 'image/png';
    // Nothing is drawn if the client has the image.
    if (etagMatches(headers['if-none-match']?.toString(), tag))
      return { content_type, body: '', headers: { etag: tag } };
    const { bytes, time_s } = await picture();
    return { content_type, body: bytes, headers: { etag: tag, 'x-frame-time-s': String(time_s) } };
  },
  annotate_episode: ({ store, call, signal }, { params, body }) =>
    annotateEpisode(store, call, { ...params, ...body }, { signal }),
  edit_dense_text: ({ store, call }, { params, body }) => editDenseText(store, call, { ...params, ...body }),
  list_annotation_edits: ({ store, call }, { params, query }) =>
    listAnnotationEdits(store, call, { ...params, ...query }),
} satisfies HandlersOf<typeof episodeAnnotationOperations>;
