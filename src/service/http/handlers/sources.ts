import type { sourceOperations } from '#core/api/operations';
import {
  completeSource,
  createSource,
  deleteSource,
  getSource,
  listSourceFiles,
  listSources,
} from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of sources. */
export const sourceHandlers = {
  list_sources: ({ store, call }, { params, query }) => listSources(store, call, { ...params, ...query }),
  create_source: ({ store, call }, { params, body }) => createSource(store, call, { ...params, ...body }),
  get_source: ({ store, call }, { params }) => getSource(store, call, params),
  delete_source: async ({ store, call }, { params }) => {
    await deleteSource(store, call, params);
    return undefined;
  },
  list_source_files: ({ store, call }, { params, query }) =>
    listSourceFiles(store, call, { ...params, ...query }),
  complete_source: ({ store, call }, { params }) => completeSource(store, call, params),
} satisfies HandlersOf<typeof sourceOperations>;
