import type { annotationOperations } from '#core/api/operations';
import {
  getAnnotationCoverage,
  getCachedAnnotationSettings,
  getCachedAnnotationStatus,
  getWorkspaceAnnotationSettings,
  listModels,
  setAnnotationSettings,
  setModels,
  setWorkspaceAnnotationSettings,
} from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of annotation settings, status and models. */
export const annotationHandlers = {
  get_annotation_settings: ({ store, call }, { params }) => getCachedAnnotationSettings(store, call, params),
  set_annotation_settings: ({ store, call }, { params, body }) =>
    setAnnotationSettings(store, call, { ...params, ...body }),
  get_workspace_annotation_settings: ({ store, call }, { params }) =>
    getWorkspaceAnnotationSettings(store, call, params),
  set_workspace_annotation_settings: ({ store, call }, { params, body }) =>
    setWorkspaceAnnotationSettings(store, call, { ...params, ...body }),
  get_annotation_status: ({ store, call }, { params }) => getCachedAnnotationStatus(store, call, params),
  get_annotation_coverage: ({ store, call }, { params }) => getAnnotationCoverage(store, call, params),
  list_models: ({ store, call }, { query }) => listModels(store, call, query),
  set_models: ({ store, call }, { body }) => setModels(store, call, body),
} satisfies HandlersOf<typeof annotationOperations>;
