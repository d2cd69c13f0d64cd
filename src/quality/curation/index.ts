export { type Composition, type Coverage, computeComposition, type Part } from './composition.ts';
export type { CurationEpisode, IdleSpans, StateActionSample } from './curation-episode.ts';
export { findGaps, type Gap, type GapAspect } from './gaps.ts';
export { nearestRows } from './measures/vectors.ts';
export {
  type CurationPlan,
  heldOutStage,
  planNames,
  planSchema,
  resolvePlan,
  type WrittenPlan,
} from './plan.ts';
export { type DecidedPlan, type PlanFile, readPlanFile } from './plan-file.ts';
export type { MeasuredProbe, ProbeComparison, ProbedSubset, ProbeResult } from './probe/result.ts';
export { type ProbeOptions, runProbe } from './probe/run-probe.ts';
export { type Recommendation, recommendPlan } from './recommend.ts';
export { type StrategyId, strategies } from './registry.ts';
export { createFrame, type Frame } from './report-frame.ts';
export { type CurationResult, type DroppedEpisode, runPlan, type StageReport } from './run-plan.ts';
export { decodeSample, type EpisodeSample, sampleEpisode, sampleVersion } from './sample-episode.ts';
export type { Need, Strategy, TrimMark } from './strategy.ts';
