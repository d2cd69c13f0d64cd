import type { CurationEpisode } from './curation-episode.ts';
import type { WrittenPlan } from './plan.ts';
import type { StrategyId } from './registry.ts';

interface Advice {
  readonly strategy: StrategyId;
  readonly reason: string;
}

export interface Recommendation {
  readonly plan: WrittenPlan & { readonly seed: number };
  readonly reasons: readonly Advice[];
  readonly not_recommended: readonly Advice[];
}

type Stage = WrittenPlan['stages'][number];
/** A stage with its reason, or why there is none. */
type Rule = (facts: Facts) => { readonly stage: Stage | null; readonly advice: Advice };

interface Facts {
  readonly episodes: readonly CurationEpisode[];
  /** The target learns what to do in a state. */
  readonly learns_actions: boolean;
  readonly having: (has: (episode: CurationEpisode) => boolean) => number;
}

/** Tasks that differ in size by more than this are balanced. */
const unbalanced = 4;

const yes = (stage: Stage & { strategy: StrategyId }, reason: string): ReturnType<Rule> => ({
  stage,
  advice: { strategy: stage.strategy, reason },
});
const no = (strategy: StrategyId, reason: string): ReturnType<Rule> => ({
  stage: null,
  advice: { strategy, reason },
});

const rules: readonly Rule[] = [
  ({ having, episodes }) => {
    const accepted = having(({ decision }) => decision === 'accept');
    const rejected = having(({ decision }) => decision === 'reject');
    return accepted > 0
      ? yes(
          { strategy: 'decision', parameters: { keep: ['accept'] } },
          `${accepted} of ${episodes.length} episodes are accepted, ${rejected} rejected`,
        )
      : yes(
          { strategy: 'decision', parameters: { keep: ['accept', 'review'] } },
          `no episode is accepted, so those for review stay; ${rejected} are rejected`,
        );
  },
  ({ having, learns_actions }) => {
    const failed = having(({ outcome }) => outcome === 'failure');
    if (!learns_actions || failed === 0)
      return no('failure_boost', failed === 0 ? 'no outcome is a failure' : 'the target learns no actions');
    return having(({ motion }) => motion !== undefined) > 0
      ? yes({ strategy: 'failure_boost' }, `${failed} episodes failed: what is like them is kept first`)
      : no('failure_boost', `${failed} episodes failed, but no motion is described`);
  },
  duplicates('exact_duplicate', ({ content_hash }) => content_hash !== undefined, 'hash of its content'),
  duplicates('near_duplicate', ({ motion }) => motion !== undefined, 'descriptor of its motion'),
  ({ having, learns_actions }) => {
    const sampled = having(({ sample }) => sample !== undefined);
    if (!learns_actions) return no('demonstration_information', 'the target learns no actions');
    return sampled >= 20
      ? yes(
          { strategy: 'demonstration_information', parameters: { keep: 0.9 } },
          `${sampled} demonstrations can be compared: the tenth that says least of what to do in a state goes`,
        )
      : no(
          'demonstration_information',
          `${sampled} episodes have sampled states and actions; 20 are the least`,
        );
  },
  ({ episodes }) => {
    const sizes = new Map<string, number>();
    for (const { task } of episodes) if (task !== null) sizes.set(task, (sizes.get(task) ?? 0) + 1);
    const [most, least] = [Math.max(...sizes.values()), Math.min(...sizes.values())];
    if (sizes.size < 2)
      return no('balance', `${sizes.size} task${sizes.size === 1 ? '' : 's'}: nothing to balance`);
    return most > unbalanced * least
      ? yes(
          { strategy: 'balance', parameters: { by: 'task', ratio: 2 } },
          `the largest of ${sizes.size} tasks has ${most} episodes, the smallest ${least}`,
        )
      : no('balance', `the largest task has ${most} episodes, the smallest ${least}`);
  },
  ({ having }) => {
    const idle = having(({ idle }) => idle !== undefined && idle.head_s + idle.tail_s > 2);
    return idle > 0
      ? yes(
          { strategy: 'idle_trim' },
          `${idle} episodes rest for seconds before they begin or after they end`,
        )
      : no('idle_trim', 'no episode is known to rest for seconds at its ends');
  },
];

/** Rules that count what is there; each says why it adds its stage or does not. */
export function recommendPlan(episodes: readonly CurationEpisode[], learns_actions: boolean): Recommendation {
  const having = (has: (episode: CurationEpisode) => boolean): number => episodes.filter(has).length;
  const said = rules.map((rule) => rule({ episodes, learns_actions, having }));
  return {
    plan: { seed: 0, stages: said.flatMap(({ stage }) => stage ?? []) },
    reasons: said.filter(({ stage }) => stage !== null).map(({ advice }) => advice),
    not_recommended: said.filter(({ stage }) => stage === null).map(({ advice }) => advice),
  };
}

function duplicates(strategy: StrategyId, has: (episode: CurationEpisode) => boolean, what: string): Rule {
  return ({ having }) => {
    const described = having(has);
    return described > 1
      ? yes({ strategy }, `${described} episodes have a ${what}: a repeated one counts twice in the loss`)
      : no(strategy, `fewer than two episodes have a ${what}`);
  };
}
