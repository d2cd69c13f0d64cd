export { type DescribedFailure, describeFailure, type StoredEpisode } from './describe-failure.ts';
export { loopPlan } from './loop-plan.ts';
export { detectFailureFormat, type FailureFile, readFailures } from './read-failures.ts';
export {
  type BaselineEpisode,
  type ScoredFailures,
  type ScoringOptions,
  scoreFailures,
} from './score-failures.ts';
