import type { searchOperations } from '#core/api/operations';
import {
  createSlice,
  deleteSlice,
  diffSlices,
  getSlice,
  listSliceMembers,
  listSlices,
  promoteSlice,
  searchProject,
} from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of search and slices. */
export const searchHandlers = {
  search_episodes: ({ store, call }, { params, body }) => searchProject(store, call, { ...params, ...body }),
  create_slice: ({ store, call }, { params, body }) => createSlice(store, call, { ...params, ...body }),
  list_slices: ({ store, call }, { params, query }) => listSlices(store, call, { ...params, ...query }),
  get_slice: ({ store, call }, { params }) => getSlice(store, call, params),
  list_slice_members: ({ store, call }, { params, query }) =>
    listSliceMembers(store, call, { ...params, ...query }),
  diff_slices: ({ store, call }, { params, query }) => diffSlices(store, call, { ...params, ...query }),
  promote_slice: ({ store, call }, { params }) => promoteSlice(store, call, params),
  delete_slice: async ({ store, call }, { params }) => {
    await deleteSlice(store, call, params);
    return undefined;
  },
} satisfies HandlersOf<typeof searchOperations>;
