import type { readinessOperations } from '#core/api/operations';
import { getReadinessSettings, getTargetReadiness, setReadinessSettings } from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of readiness settings and target readiness. */
export const readinessHandlers = {
  get_readiness_settings: ({ store, call }, { params }) => getReadinessSettings(store, call, params),
  set_readiness_settings: ({ store, call }, { params, body }) =>
    setReadinessSettings(store, call, { ...params, ...body }),
  get_target_readiness: ({ store, call }, { params }) => getTargetReadiness(store, call, params),
} satisfies HandlersOf<typeof readinessOperations>;
