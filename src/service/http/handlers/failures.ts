import type { failureOperations } from '#core/api/operations';
import { closeLoop, getFailureImport, importFailures, listFailures } from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of imported failures. */
export const failureHandlers = {
  import_failures: ({ store, call }, { params, body }) => importFailures(store, call, { ...params, ...body }),
  list_failures: ({ store, call }, { params, query }) => listFailures(store, call, { ...params, ...query }),
  get_failure_import: ({ store, call }, { params }) => getFailureImport(store, call, params),
  close_loop: ({ store, call }, { params, body }) => closeLoop(store, call, { ...params, ...body }),
} satisfies HandlersOf<typeof failureOperations>;
