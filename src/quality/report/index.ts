export { filmAssets, reportAssets } from './assets.ts';
export { createReport } from './builder.ts';
export { collectIssues, formatEpisodes, formatRanges, type Issue, repeatsMessage } from './outputs/issues.ts';
export type { EpisodeVerdict, OutputAssessment } from './outputs/output.ts';
export { describeOverall } from './outputs/set-verdict-text.ts';
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
export { maxSketchSamples, type SketchOptions, sketchEpisode } from './sketch.ts';
export type { EpisodeSketch } from './sketch-types.ts';
export { describeSetVerdict } from './views/set-verdict.ts';
