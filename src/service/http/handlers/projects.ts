import type { projectOperations } from '#core/api/operations';
import {
  createProject,
  deleteProject,
  getDataKind,
  getProject,
  getProjectFormats,
  listProjects,
  setDataKind,
  updateProject,
} from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of projects. */
export const projectHandlers = {
  list_projects: ({ store, call }, { query }) => listProjects(store, call, query),
  create_project: ({ store, call }, { body }) => createProject(store, call, body),
  get_project: ({ store, call }, { params }) => getProject(store, call, params),
  update_project: ({ store, call }, { params, body }) => updateProject(store, call, { ...params, ...body }),
  delete_project: async ({ store, call }, { params }) => {
    await deleteProject(store, call, params);
    return undefined;
  },
  get_data_kind: ({ store, call }, { params }) => getDataKind(store, call, params),
  set_data_kind: ({ store, call }, { params, body }) => setDataKind(store, call, { ...params, ...body }),
  get_project_formats: ({ store, call }, { params }) => getProjectFormats(store, call, params),
} satisfies HandlersOf<typeof projectOperations>;
