import { type LayerId, type LayerMode, layerModes, type ModelSurfaceId, modelSurfaceIds } from '#core/api';
import type { LayerConfig } from '../knob.ts';
import { layers } from '../layer-registry.ts';
import type { LayerModes } from '../presets.ts';
import { coerceConfig } from './layer-config.ts';

/** What a project or a workspace has stored, as far as it means anything. */
export interface StoredSettings {
  readonly modes: LayerModes;
  /** The knobs that are set, each within its bounds; no layer without any. */
  readonly config: Readonly<Partial<Record<LayerId, LayerConfig>>>;
  readonly models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
}

/** Reads stored settings of any age and state: what is not known today is passed over, nothing throws. */
export function readStoredSettings(stored: unknown): StoredSettings {
  const { modes, config, models } = recordOf(stored);
  return {
    modes: pick(layers.ids, modes, (_, value) => (isMode(value) ? value : undefined)),
    config: readConfig(config),
    models: pick(modelSurfaceIds, models, (_, value) => (typeof value === 'string' ? value : undefined)),
  };
}

/** Knobs by layer, whatever was given: numbers are brought within range, what means nothing is dropped. */
export function readConfig(given: unknown): StoredSettings['config'] {
  return pick(layers.ids, given, (id, value) => {
    const values = coerceConfig(layers.get(id)!, recordOf(value));
    return Object.keys(values).length === 0 ? undefined : values;
  });
}

function pick<Id extends string, Value>(
  ids: readonly Id[],
  from: unknown,
  read: (id: Id, value: unknown) => Value | undefined,
): Readonly<Partial<Record<Id, Value>>> {
  const record = recordOf(from);
  const found: Partial<Record<Id, Value>> = {};
  for (const id of ids) {
    const value = Object.hasOwn(record, id) ? read(id, record[id]) : undefined;
    if (value !== undefined) found[id] = value;
  }
  return found;
}

const isMode = (value: unknown): value is LayerMode => layerModes.includes(value as LayerMode);
const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
