import type { CurationEpisode } from './curation-episode.ts';
import type { WrittenPlan } from './plan.ts';
import type { StrategyId } from './registry.ts';

/** Strategy with the reason for or against it. */
interface Advice {
  readonly strategy: StrategyId;
  readonly reason: string;
}

/** Recommended plan, with reasons for its stages and against the other strategies. */
export interface Recommendation {
  readonly plan: WrittenPlan & { readonly seed: number };
  readonly reasons: readonly Advice[];
  readonly not_recommended: readonly Advice[];
}

type Stage = WrittenPlan['stages'][number];
/** Proposes a stage with a reason, or null with the reason against it. */
type Rule = (facts: Facts) => { readonly stage: Stage | null; readonly advice: Advice };

interface Facts {
  readonly episodes: readonly CurationEpisode[];
  /** True if the training target learns actions. */
  readonly learns_actions: boolean;
  /** Counts the episodes that satisfy a predicate. */
  readonly having: (has: (episode: CurationEpisode) => boolean) => number;
}

/** Ratio of the largest to the smallest task above which balancing is recommended. */
const maxTaskSizeRatio = 4;

const recommendStage = (stage: Stage & { strategy: StrategyId }, reason: string): ReturnType<Rule> => ({
  stage,
  advice: { strategy: stage.strategy, reason },
});
const declineStage = (strategy: StrategyId, reason: string): ReturnType<Rule> => ({
  stage: null,
  advice: { strategy, reason },
});

const rules: readonly Rule[] = [
  ({ having }) => {
    const held = having(({ held_out }) => held_out !== undefined);
    return held > 0
      ? recommendStage(
          { strategy: 'held_out' },
          `${held} episodes are reserved for evaluation by locked slices`,
        )
      : declineStage('held_out', 'no episode is reserved for evaluation by a locked slice');
  },
  ({ having, episodes }) => {
    const accepted = having(({ decision }) => decision === 'accept');
    const rejected = having(({ decision }) => decision === 'reject');
    return accepted > 0
      ? recommendStage(
          { strategy: 'decision', parameters: { keep: ['accept'] } },
          `${accepted} of ${episodes.length} episodes are accepted, ${rejected} rejected`,
        )
      : recommendStage(
          { strategy: 'decision', parameters: { keep: ['accept', 'review'] } },
          `no episode is accepted, so episodes for review are kept; ${rejected} are rejected`,
        );
  },
  ({ having, learns_actions }) => {
    const failed = having(({ outcome }) => outcome === 'failure');
    if (!learns_actions || failed === 0)
      return declineStage(
        'failure_boost',
        failed === 0 ? 'no episode failed' : 'this target does not learn actions',
      );
    return having(({ motion }) => motion !== undefined) > 0
      ? recommendStage(
          { strategy: 'failure_boost' },
          `${failed} episodes failed: similar episodes are kept first`,
        )
      : declineStage('failure_boost', `${failed} episodes failed, but there are no motion descriptors`);
  },
  duplicateRule('exact_duplicate', ({ content_hash }) => content_hash !== undefined, 'content hash'),
  duplicateRule('near_duplicate', ({ motion }) => motion !== undefined, 'motion descriptor'),
  ({ having, learns_actions }) => {
    const sampled = having(({ sample }) => sample !== undefined);
    if (!learns_actions)
      return declineStage('demonstration_information', 'this target does not learn actions');
    return sampled >= 20
      ? recommendStage(
          { strategy: 'demonstration_information', parameters: { keep: 0.9 } },
          `${sampled} demonstrations can be compared: the least informative 10 % are dropped`,
        )
      : declineStage(
          'demonstration_information',
          `${sampled} episodes have sampled states and actions; at least 20 are required`,
        );
  },
  ({ episodes }) => {
    const sizes = new Map<string, number>();
    for (const { task } of episodes) if (task !== null) sizes.set(task, (sizes.get(task) ?? 0) + 1);
    const [maxSize, minSize] = [Math.max(...sizes.values()), Math.min(...sizes.values())];
    if (sizes.size < 2)
      return declineStage('balance', `${sizes.size} task${sizes.size === 1 ? '' : 's'}: nothing to balance`);
    return maxSize > maxTaskSizeRatio * minSize
      ? recommendStage(
          { strategy: 'balance', parameters: { by: 'task', ratio: 2 } },
          `the largest of ${sizes.size} tasks has ${maxSize} episodes, the smallest ${minSize}`,
        )
      : declineStage('balance', `the largest task has ${maxSize} episodes, the smallest ${minSize}`);
  },
  ({ having }) => {
    const idle = having(({ idle }) => idle !== undefined && idle.head_s + idle.tail_s > 2);
    return idle > 0
      ? recommendStage(
          { strategy: 'idle_trim' },
          `${idle} episodes are idle for seconds before the first or after the last motion`,
        )
      : declineStage('idle_trim', 'no episode is known to be idle at its start or end');
  },
];

/**
 * Recommends a plan by rules that count facts of the episodes, and returns the advice of every rule: `reasons` for
 * its stages, `not_recommended` for the others. `learns_actions`: whether the training target learns actions.
 */
export function recommendPlan(episodes: readonly CurationEpisode[], learns_actions: boolean): Recommendation {
  const having = (has: (episode: CurationEpisode) => boolean): number => episodes.filter(has).length;
  const proposals = rules.map((rule) => rule({ episodes, learns_actions, having }));
  return {
    plan: { seed: 0, stages: proposals.flatMap(({ stage }) => stage ?? []) },
    reasons: proposals.filter(({ stage }) => stage !== null).map(({ advice }) => advice),
    not_recommended: proposals.filter(({ stage }) => stage === null).map(({ advice }) => advice),
  };
}

function duplicateRule(strategy: StrategyId, has: (episode: CurationEpisode) => boolean, what: string): Rule {
  return ({ having }) => {
    const described = having(has);
    return described > 1
      ? recommendStage(
          { strategy },
          `${described} episodes have a ${what}: duplicates would count twice in the loss`,
        )
      : declineStage(strategy, `fewer than two episodes have a ${what}`);
  };
}
