import type { copilotOperations } from '#core/api/operations';
import { askProject, chat, getSuggestions } from '#service/copilot';
import {
  deleteThread,
  getCopilotModels,
  getThread,
  listSupportQueries,
  listThreads,
  raiseSupportQuery,
} from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of the copilot and of support queries. */
export const copilotHandlers = {
  get_copilot_models: ({ store, call }) => getCopilotModels(store, call),
  get_copilot_suggestions: ({ store, call }, { query }) => getSuggestions(store, call, query),
  ask_project: ({ store, call }, { params, body }) => askProject(store, call, { ...params, ...body }),
  raise_support_query: ({ store, call }, { body }) => raiseSupportQuery(store, call, body),
  list_support_queries: ({ store, call }, { query }) => listSupportQueries(store, call, query),
  copilot_chat: ({ store, call, signal }, { body }) => chat(store, call, body, signal),
  list_threads: ({ store, call }, { query }) => listThreads(store, call, query),
  get_thread: ({ store, call }, { params }) => getThread(store, call, params),
  delete_thread: async ({ store, call }, { params }) => {
    await deleteThread(store, call, params);
    return undefined;
  },
} satisfies HandlersOf<typeof copilotOperations>;
