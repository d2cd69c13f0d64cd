import type { episodeAnnotationOperations } from '#operations';
import { annotateEpisode, editDenseText, getEpisodeAnnotation, listEpisodeAnnotations } from '#services';
import type { HandlersOf } from '../handler.ts';

export const episodeAnnotationHandlers = {
  list_episode_annotations: ({ store, call }, { params }) => listEpisodeAnnotations(store, call, params),
  get_episode_annotation: ({ store, call }, { params }) => getEpisodeAnnotation(store, call, params),
  annotate_episode: ({ store, call, signal }, { params, body }) =>
    annotateEpisode(store, call, { ...params, ...body }, { signal }),
  edit_dense_text: ({ store, call }, { params, body }) => editDenseText(store, call, { ...params, ...body }),
} satisfies HandlersOf<typeof episodeAnnotationOperations>;
