export { type CacheSize, cacheSize, clearCache } from '../cache/measure-cache.ts';
export {
  type LocatedRecordings,
  locateRecordings,
  type Recordings,
  type WebSettings,
  type WebTraffic,
} from '../open-recordings.ts';
export type { DatasetView, EpisodeView, Inspection, StreamView } from '../steps/inspect.ts';
export { type EpisodeVerdict, type VerdictFlag, verdictPattern, worstFirst } from '../steps/judge/verdict.ts';
export { assess } from './assess.ts';
export { curationEpisodes, type EpisodeIndex, type FoundEpisode, indexEpisodes } from './index-episodes.ts';
export { type InspectOptions, inspect } from './inspect.ts';
export type { AssessHooks, AssessOptions } from './options.ts';
export { requireWritable } from './output/output-folder.ts';
export { assessInto, bridgePlanFile } from './output/write-output.ts';
export type { Progress } from './progress.ts';
export type { AssessmentResult, DatasetSummary, Decisions } from './result.ts';
