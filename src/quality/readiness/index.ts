export { ActionSpaceStatistics } from './action-space/diagnose.ts';
export type { SignalEpisode } from './action-space/signals.ts';
export type {
  Aspect,
  Check,
  CheckId,
  ComparedNotes,
  FlagRow,
  Mark,
  Measured,
  Subject,
  Threshold,
} from './check.ts';
export { checks } from './check-registry.ts';
export {
  type Comparing,
  type ComparisonRows,
  collectRows,
  concludeComparisons,
} from './compare-episodes.ts';
export type { ComparedFacts, ComparedRow, Comparison, ComparisonId, Conclusion } from './comparison.ts';
export { comparisons } from './comparison-registry.ts';
export { engine } from './engine.ts';
export { createFeatures, type EpisodeFeatures } from './features/episode-features.ts';
export type { StreamFeatures } from './features/stream-features.ts';
export { type Formula, formulaText } from './formula.ts';
export { type Judgement, judgeEpisode, judgeMeasurements, receiptBody } from './judge-episode.ts';
export { type DerivedKind, deriveKind } from './kind.ts';
export { type Measurements, measureEpisode } from './measure-episode.ts';
export type { PolicyFacts } from './policy-class/facts.ts';
export { recommendPolicy } from './policy-class/recommend.ts';
export {
  briefOf,
  type EpisodeBrief,
  type EpisodeRecord,
  type ReceiptBody,
  recordOf,
  sealReceipt,
} from './receipt.ts';
export { decisionBounds } from './scoring.ts';
export { type ResolvedCheck, type ResolvedSettings, resolveSettings } from './settings.ts';
export { type ReceiptViews, type UtilitySignal, viewOf, viewsOf } from './views.ts';
