export type { LayerConfig } from './knob.ts';
export {
  type DistanceBatch,
  type DistanceFrame,
  type FrameBatch,
  type Lane,
  type LaneContext,
  type LaneEpisode,
  type LaneFrame,
  type LaneOutput,
  type LanePart,
  type MissingFrame,
  mainPart,
  type VisionModel,
} from './lane.ts';
export {
  type EpisodeSize,
  type FrameNeeds,
  framesOf,
  type JobLayerRow,
  type LayerRow,
  type PlannedTokens,
  type ResourceClass,
  resourceClassOf,
  usedLayers,
} from './layer.ts';
export { jobLayerOf, layerOf, layers } from './layer-registry.ts';
export { episodeSegments } from './layers/segments/lane.ts';
export {
  composePng,
  composeRgb,
  drawingOrder,
  drawOverlays,
  type LayerSaying,
  type OpenOverlay,
  type OverlayCanvas,
  type OverlayParts,
  type OverlaySize,
  overlayOf,
  overlaySvg,
  sizeOf,
  sizeOfWidth,
} from './overlays/index.ts';
export { type LayerModes, type PresetId, type PresetRow, presetModes, presets } from './presets.ts';
export type { ReviewVerdict } from './review/verdict.ts';
export { runLayer } from './run-layer.ts';
export type { KindCounts } from './settings/applicability.ts';
export { applyChange, type SettingsChange } from './settings/apply-change.ts';
export { type CostPreview, previewCost } from './settings/cost-preview.ts';
export { coerceConfig, defaultConfig } from './settings/layer-config.ts';
export { type PresetFit, presetFits } from './settings/preset-fit.ts';
export { type LayerInputs, type ResolvedLayer, resolveLayers } from './settings/resolve-layers.ts';
export { readStoredSettings, type StoredSettings } from './settings/stored-settings.ts';
export { executes, surfacesHere, whyUnavailable } from './status/availability.ts';
export { coverageOf, coveredIn } from './status/coverage.ts';
export { layerState } from './status/layer-state.ts';
