export { type DescribedFailure, describeFailure, type StoredEpisode } from './describe-failure.ts';
export { loopPlan } from './loop-plan.ts';
export type { FailureFile } from './read/failure-file.ts';
export { detectFailureFormat, readFailures } from './read/read-failures.ts';
export {
  type BaselineEpisode,
  type ScoredFailures,
  type ScoringOptions,
  scoreFailures,
} from './score-failures.ts';
