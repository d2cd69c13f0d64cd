import type { workspaceOperations } from '#core/api/operations';
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  setUseCase,
  updateWorkspace,
} from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of workspaces. */
export const workspaceHandlers = {
  list_workspaces: ({ store, call }, { query }) => listWorkspaces(store, call, query),
  create_workspace: ({ store, call }, { body }) => createWorkspace(store, call, body),
  get_workspace: ({ store, call }, { params }) => getWorkspace(store, call, params),
  update_workspace: ({ store, call }, { params, body }) =>
    updateWorkspace(store, call, { ...params, ...body }),
  delete_workspace: async ({ store, call }, { params }) => {
    await deleteWorkspace(store, call, params);
    return undefined;
  },
  set_use_case: ({ store, call }, { params, body }) => setUseCase(store, call, { ...params, ...body }),
} satisfies HandlersOf<typeof workspaceOperations>;
