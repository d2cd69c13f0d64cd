export { assess } from './assessment/assess.ts';
export {
  type DatasetView,
  type EpisodeView,
  type Inspection,
  inspect,
  type StreamView,
} from './assessment/inspect.ts';
export type { AssessHooks, AssessOptions } from './assessment/options.ts';
export type { Progress } from './assessment/progress.ts';
export { type ReassessOptions, reassess, receiptKey } from './assessment/reassess.ts';
export type { AssessmentResult, DatasetSummary, Decisions } from './assessment/result.ts';
export { type EpisodeVerdict, type VerdictFlag, worstFirst } from './assessment/verdict.ts';
export { assessInto } from './assessment/write-output.ts';
