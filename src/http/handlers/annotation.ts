import type { annotationOperations } from '#operations';
import {
  getAnnotationSettings,
  listModels,
  setAnnotationSettings,
  setWorkspaceAnnotationSettings,
} from '#services';
import type { HandlersOf } from '../handler.ts';

export const annotationHandlers = {
  get_annotation_settings: ({ store, call }, { params }) => getAnnotationSettings(store, call, params),
  set_annotation_settings: ({ store, call }, { params, body }) =>
    setAnnotationSettings(store, call, { ...params, ...body }),
  set_workspace_annotation_settings: ({ store, call }, { params, body }) =>
    setWorkspaceAnnotationSettings(store, call, { ...params, ...body }),
  list_models: async ({ call }, { query }) => listModels(call, query),
} satisfies HandlersOf<typeof annotationOperations>;
