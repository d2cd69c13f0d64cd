import type { JsonObject } from '#core';
import type { Call } from '#service/operations';
import type { Store } from '#store';
import { groundedContext } from './grounded-context.ts';
import { type ProjectState, readProjectState } from './project-state.ts';

/** What a turn starts from. */
export interface Grounds {
  /** Null without a project. */
  readonly state: ProjectState | null;
  readonly context: JsonObject;
}

/** Readings under way, by who may see what of which project. */
const underWay = new WeakMap<Store, Map<string, Promise<Grounds>>>();

/**
 * Reads what a turn is grounded in. Turns that begin while it is read for another of the same tenant, role and project
 * share that reading: a hundred at once read once. Throws `not_found`.
 */
export function groundsOf(store: Store, call: Call, project_id: string | null): Promise<Grounds> {
  const readings = underWay.get(store) ?? new Map<string, Promise<Grounds>>();
  underWay.set(store, readings);
  const key = [call.actor.tenant_id, call.actor.role, project_id ?? ''].join(' ');
  const shared = readings.get(key);
  if (shared !== undefined) return shared;
  const reading = readGrounds(store, call, project_id).finally(() => readings.delete(key));
  readings.set(key, reading);
  return reading;
}

async function readGrounds(store: Store, call: Call, project_id: string | null): Promise<Grounds> {
  const state = project_id === null ? null : await readProjectState(store, call, project_id);
  return { state, context: await groundedContext(store, call, state) };
}
