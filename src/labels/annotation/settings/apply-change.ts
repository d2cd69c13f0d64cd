import { type LayerModes, type PresetId, presetModes, presets } from '../presets.ts';
import { readConfig, type StoredSettings } from './stored-settings.ts';

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
    config: change.config === undefined ? stored.config : readConfig(change.config),
    models: change.models ?? stored.models,
  };
}

function modesAfter(stored: LayerModes, { modes, preset }: SettingsChange): LayerModes {
  if (preset === undefined) return modes ?? stored;
  return { ...presetModes(presets.get(preset)!), ...modes };
}
