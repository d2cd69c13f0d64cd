export { filmAssets, reportAssets } from './assets.ts';
export { createReport } from './builder.ts';
export { episodesText, type Issue, saysLess } from './outputs/issue.ts';
export { issuesOf } from './outputs/issues.ts';
export type { Assessed, JudgedEpisode } from './outputs/output.ts';
export { rangesText } from './outputs/ranges.ts';
export { renderEpisode } from './render-episode.ts';
export type {
  CheckDescription,
  EpisodeRow,
  RenderedEpisode,
  ReportAsset,
  ReportBuilder,
  ReportFile,
  ReportFilm,
  ReportOptions,
} from './report-types.ts';
export { type SketchOptions, sketchBudget, sketchEpisode } from './sketch.ts';
export type { EpisodeSketch } from './sketch-types.ts';
