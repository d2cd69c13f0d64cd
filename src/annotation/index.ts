export type { EpisodeSize, LayerConfig, LayerRow } from './layer.ts';
export { layerOf, layers } from './layer-registry.ts';
export { type LayerModes, type PresetId, type PresetRow, presetModes, presets } from './presets.ts';
export type { KindCounts } from './settings/applicability.ts';
export { applyChange, type SettingsChange } from './settings/apply-change.ts';
export { type CostPreview, previewCost } from './settings/cost-preview.ts';
export { type PresetFit, presetFits } from './settings/preset-fit.ts';
export { type LayerGround, type ResolvedLayer, resolveLayers } from './settings/resolve-layers.ts';
export { readStoredSettings, type StoredSettings } from './settings/stored-settings.ts';
