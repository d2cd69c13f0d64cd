export { ActionSpaceStatistics } from './action-space/diagnose.ts';
export type { SignalEpisode } from './action-space/signals.ts';
export {
  type Aspect,
  type Check,
  type CheckId,
  type CheckMeasurement,
  type ComparisonNotes,
  type FlagRow,
  type Formula,
  formulaText,
  type Mark,
  type Subject,
  type Threshold,
} from './check.ts';
export { checks } from './check-registry.ts';
export {
  type ComparisonResults,
  type ComparisonRows,
  collectRows,
  concludeComparisons,
} from './compare-episodes.ts';
export type {
  Comparison,
  ComparisonId,
  ComparisonRow,
  Conclusion,
  DeclaredDatasetFacts,
} from './comparison.ts';
export { comparisons } from './comparison-registry.ts';
export { createFeatures, type EpisodeFeatures } from './features/episode-features.ts';
export type { StreamFeatures } from './features/stream-features.ts';
export { type DerivedKind, deriveKind } from './kind.ts';
export { recommendPolicy } from './policy-class/recommend.ts';
export type { PolicyFacts } from './policy-class/rules.ts';
export {
  createEpisodeBrief,
  createEpisodeRecord,
  type EpisodeBrief,
  type EpisodeRecord,
  engine,
  type ReceiptBody,
  sealReceipt,
} from './receipt.ts';
export {
  type Judgement,
  judgeEpisode,
  judgeMeasurements,
  type Measurements,
  measureEpisode,
  receiptBody,
} from './run-checks.ts';
export { decisionBounds, type ResolvedCheck, type ResolvedSettings, resolveSettings } from './scoring.ts';
export { combineSetVerdicts, judgeSet, type SetCounts, SetTally } from './set-verdict.ts';
export { createViews, type ReceiptViews, type UtilitySignal, viewOf } from './views.ts';
