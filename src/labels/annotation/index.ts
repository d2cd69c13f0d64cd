export { ClassNames, type ClassRenames, classLayers, listClasses, renameClasses } from './classes.ts';
export { coerceConfig, defaultConfig, describeValues, type LayerConfig } from './knob.ts';
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
  frameNeeds,
  inputLayers,
  type JobLayerRow,
  type LayerRow,
  type PlannedTokens,
  plannedSeconds,
  type ResourceClass,
  resourceClassOf,
  sizeClass,
  surfacesOf,
} from './layer.ts';
export { jobLayerOf, layerOf, layers, runLayer } from './layer-registry.ts';
export {
  computeCoverage,
  countApplicable,
  layerState,
  missingForLayers,
  missingQualityReason,
  unavailableReason,
  willExecute,
} from './layer-status.ts';
export {
  composePng,
  composeRgb,
  drawingOrder,
  drawOverlays,
  type LayerDrawing,
  type OpenOverlay,
  type OverlayCanvas,
  type OverlayParts,
  type OverlaySize,
  overlayOf,
  overlaySvg,
  pictureSize,
  sizeOfWidth,
} from './overlays/index.ts';
export type { ReviewVerdict } from './review/review-test.ts';
export { type Adjustment, listAdjustments } from './settings/adjustments.ts';
export { type CostPreview, previewCost } from './settings/cost-preview.ts';
export { type LayerModes, type PresetId, type PresetRow, presetModes, presets } from './settings/presets.ts';
export {
  type KindCounts,
  type LayerInputs,
  type PresetFit,
  type ResolvedLayer,
  ratePresets,
  resolveLayers,
} from './settings/resolve-layers.ts';
export {
  applyChange,
  readStoredSettings,
  type SettingsChange,
  type StoredSettings,
} from './settings/stored-settings.ts';
