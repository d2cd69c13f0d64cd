import { type LayerId, type LayerMode, layerModes, type ModelSurfaceId, modelSurfaceIds } from '#core/api';
import { coerceConfig, type LayerConfig } from '../knob.ts';
import { layers } from '../layer-registry.ts';
import { type LayerModes, type PresetId, presetModes, presets } from './presets.ts';

/** Stored settings of a project or workspace, validated. */
export interface StoredSettings {
  readonly modes: LayerModes;
  /** Layer settings that are set, within their bounds; layers without any are left out. */
  readonly config: Readonly<Partial<Record<LayerId, LayerConfig>>>;
  readonly models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
}

/** Parses stored settings of any version; omits unknown and invalid members, and never throws. */
export function readStoredSettings(stored: unknown): StoredSettings {
  const { modes, config, models } = toRecord(stored);
  return {
    modes: pickValid(layers.ids, modes, (_, value) => (isMode(value) ? value : undefined)),
    config: readConfig(config),
    models: pickValid(modelSurfaceIds, models, (_, value) => (typeof value === 'string' ? value : undefined)),
  };
}

/** Reads the settings of each layer: numbers are clamped, invalid values dropped. */
function readConfig(storedConfig: unknown): StoredSettings['config'] {
  return pickValid(layers.ids, storedConfig, (id, value) => {
    const values = coerceConfig(layers.get(id)!, toRecord(value));
    return Object.keys(values).length === 0 ? undefined : values;
  });
}

function pickValid<Id extends string, Value>(
  ids: readonly Id[],
  from: unknown,
  read: (id: Id, value: unknown) => Value | undefined,
): Readonly<Partial<Record<Id, Value>>> {
  const record = toRecord(from);
  const found: Partial<Record<Id, Value>> = {};
  for (const id of ids) {
    const value = Object.hasOwn(record, id) ? read(id, record[id]) : undefined;
    if (value !== undefined) found[id] = value;
  }
  return found;
}

const isMode = (value: unknown): value is LayerMode => layerModes.includes(value as LayerMode);
const toRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};

/** A change of settings: missing members stay as they are, empty ones are cleared. */
export interface SettingsChange {
  readonly modes?: LayerModes | undefined;
  readonly preset?: PresetId | undefined;
  /** Settings by layer, unvalidated; invalid ones are dropped. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly models?: StoredSettings['models'] | undefined;
}

/**
 * Returns a copy of the settings in which each given member replaces the stored one as a whole; a preset sets the
 * mode of every layer that `modes` does not name.
 */
export function applyChange(stored: StoredSettings, change: SettingsChange): StoredSettings {
  return {
    modes: modesAfter(stored.modes, change),
    config: change.config === undefined ? stored.config : readConfig(change.config),
    models: change.models ?? stored.models,
  };
}

function modesAfter(stored: LayerModes, { modes, preset }: SettingsChange): LayerModes {
  if (preset === undefined) return modes ?? stored;
  return { ...presetModes(presets.get(preset)!), ...modes };
}
