import type { LayerId, LayerMode } from '#contract';
import { layerOf, layers } from '../layer-registry.ts';
import { type LayerModes, type PresetId, presetModes, presets } from '../presets.ts';
import { coerceConfig, type RawConfig } from './layer-config.ts';
import type { StoredSettings } from './stored-settings.ts';

/** What is to be stored: a member that is left out stays, an empty one is cleared. */
export interface SettingsChange {
  readonly modes?: LayerModes | undefined;
  readonly preset?: PresetId | undefined;
  /** By layer and knob, whatever it is: what fits is kept. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly models?: StoredSettings['models'] | undefined;
}

/** What is stored after a change. A preset sets the mode of every layer; modes named beside it win. */
export function applyChange(stored: StoredSettings, change: SettingsChange): StoredSettings {
  return {
    modes: modesAfter(stored.modes, change),
    config: change.config === undefined ? stored.config : coerceConfigs(change.config),
    models: change.models ?? stored.models,
  };
}

function modesAfter(stored: LayerModes, { modes, preset }: SettingsChange): LayerModes {
  if (preset === undefined) return modes ?? stored;
  const bundle: Record<LayerId, LayerMode> = { ...presetModes(presets.get(preset)!), ...modes };
  return bundle;
}

function coerceConfigs(config: Readonly<Record<string, unknown>>): StoredSettings['config'] {
  const kept = layers.ids.flatMap((id) => {
    const raw = config[id];
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return [];
    const values = coerceConfig(layerOf(id), raw as RawConfig);
    return Object.keys(values).length === 0 ? [] : [[id, values] as const];
  });
  return Object.fromEntries(kept);
}
