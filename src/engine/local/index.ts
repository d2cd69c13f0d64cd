export { type CacheSize, cacheSize, clearCache } from '../cache/sweep.ts';
export {
  type LocatedRecordings,
  locateRecordings,
  type WebSettings,
  type WebTraffic,
} from '../recordings/locate-recordings.ts';
export type { Recordings } from '../recordings/open-recordings.ts';
export type { DatasetView, EpisodeView, Inspection, StreamView } from '../steps/inspect/inspect.ts';
export { type EpisodeVerdict, shapeOf, type VerdictFlag, worstFirst } from '../steps/judge/verdict.ts';
export { assess } from './assess.ts';
export { type InspectOptions, inspect } from './inspect.ts';
export type { AssessHooks, AssessOptions } from './options.ts';
export { demandPlace } from './output/output-folder.ts';
export { assessInto, bridgePlanFile } from './output/write-output.ts';
export type { Progress } from './progress.ts';
export type { AssessmentResult, DatasetSummary, Decisions } from './result/result.ts';
export { curationEpisodes } from './search/curation-episodes.ts';
export { type EpisodeIndex, type FoundEpisode, indexEpisodes } from './search/index-episodes.ts';
