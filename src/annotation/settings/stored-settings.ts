import { type LayerId, type LayerMode, layerModes, type ModelSurfaceId, modelSurfaceIds } from '#contract';
import { layers } from '../layer-registry.ts';
import type { LayerModes } from '../presets.ts';

/** What a project or a workspace has stored, as far as it means anything. */
export interface StoredSettings {
  readonly modes: LayerModes;
  /** Of knobs, as stored: `layerConfig` brings it within bounds. */
  readonly config: Readonly<Partial<Record<LayerId, Readonly<Record<string, unknown>>>>>;
  readonly models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
}

/** Reads stored settings of any age and state: what is not known today is passed over, nothing throws. */
export function readStoredSettings(stored: unknown): StoredSettings {
  const { modes, config, models } = recordOf(stored);
  return {
    modes: pick(modes, layers.ids, isMode),
    config: pick(config, layers.ids, isRecord),
    models: pick(models, modelSurfaceIds, isText),
  };
}

function pick<Id extends string, Value>(
  from: unknown,
  ids: readonly Id[],
  accepts: (value: unknown) => value is Value,
): Readonly<Partial<Record<Id, Value>>> {
  const record = recordOf(from);
  const found: Partial<Record<Id, Value>> = {};
  for (const id of ids) {
    const value = Object.hasOwn(record, id) ? record[id] : undefined;
    if (accepts(value)) found[id] = value;
  }
  return found;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
const isMode = (value: unknown): value is LayerMode => layerModes.includes(value as LayerMode);
const isText = (value: unknown): value is string => typeof value === 'string';
