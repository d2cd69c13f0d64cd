export type { CurationEpisode, IdleSpans, StateActionSample } from './curation-episode.ts';
export { type CurationPlan, planSchema, resolvePlan, type WrittenPlan } from './plan.ts';
export { type Recommendation, recommendPlan } from './recommend.ts';
export { type StrategyId, strategies } from './registry.ts';
export { type Composition, type Coverage, compositionOf, type Part } from './report/composition.ts';
export { createFrame, type Frame } from './report/frame.ts';
export { findGaps, type Gap, type GapAspect } from './report/gaps.ts';
export { type CurationResult, type DroppedEpisode, runPlan, type StageReport } from './run-plan.ts';
export type { Need, Strategy, TrimMark } from './strategy.ts';
