import type { useCaseOperations } from '#core/api/operations';
import { getUseCase, listTargetProfiles, listUseCases } from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of use cases and target profiles. */
export const useCaseHandlers = {
  list_use_cases: ({ store, call }, { query }) => listUseCases(store, call, query),
  get_use_case: ({ store, call }, { params }) => getUseCase(store, call, params),
  list_target_profiles: ({ store, call }, { query }) => listTargetProfiles(store, call, query),
} satisfies HandlersOf<typeof useCaseOperations>;
