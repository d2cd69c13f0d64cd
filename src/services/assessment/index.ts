export { assess } from './assess.ts';
export type { AssessHooks, AssessOptions } from './options.ts';
export type { Progress } from './progress.ts';
export { type ReassessOptions, reassess, receiptKey } from './reassess.ts';
export type { AssessmentResult, DatasetSummary, Decisions } from './result.ts';
export { type EpisodeVerdict, type VerdictFlag, worstFirst } from './verdict.ts';
export { assessInto, bridgePlanFile } from './write-output.ts';
