import type { AnnotationSettings } from '#core/api';
import { type Call, getAnnotationSettings, setAnnotationSettings } from '#service/operations';
import type { Store } from '#store';

type Change = Parameters<typeof setAnnotationSettings>[2];

/**
 * Changes what is named and leaves the rest as the project has it: a model that turns one layer off means that one. An
 * empty object still clears its member. Throws as `setAnnotationSettings`.
 */
export async function changeLayers(store: Store, call: Call, change: Change): Promise<AnnotationSettings> {
  const { project_id, modes, preset, config, models } = change;
  const stored = await getAnnotationSettings(store, call, { project_id });
  const merged: Change = {
    ...change,
    modes: preset === undefined ? beside(stored.project_modes, modes) : modes,
    config: config === undefined ? undefined : besideKnobs(stored.project_config, config),
    models: beside(stored.project_models, models),
  };
  return setAnnotationSettings(store, call, merged);
}

type Members<Value> = Readonly<Record<string, Value>>;

function beside<Value, Change extends Members<Value>>(
  stored: Members<Value>,
  change: Change | undefined,
): Change | undefined {
  return change === undefined || isEmpty(change) ? change : { ...stored, ...change };
}

function besideKnobs(stored: Members<object>, change: Members<unknown>): Members<unknown> {
  if (isEmpty(change)) return change;
  const changed = Object.entries(change).map(([layer, knobs]) => [
    layer,
    typeof knobs === 'object' && knobs !== null && !isEmpty(knobs) ? { ...stored[layer], ...knobs } : knobs,
  ]);
  return { ...stored, ...Object.fromEntries(changed) };
}

const isEmpty = (members: object): boolean => Object.keys(members).length === 0;
