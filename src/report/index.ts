export { reportAssets } from './assets.ts';
export { createReport } from './builder.ts';
export { renderEpisode } from './render-episode.ts';
export type {
  CheckDescription,
  EpisodeRow,
  RenderedEpisode,
  ReportAsset,
  ReportBuilder,
  ReportFile,
  ReportOptions,
} from './report-types.ts';
export { type SketchOptions, sketchBudget, sketchEpisode } from './sketch.ts';
export type { EpisodeSketch } from './sketch-types.ts';
