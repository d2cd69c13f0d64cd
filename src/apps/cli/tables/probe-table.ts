import type { ProbedSubset, ProbeResult } from '#quality/curation';
import { columns, count, grouped, printableName, words, wrap } from '../text.ts';

/** Renders a probe result: errors of the policies by subset, their comparisons and the limits of the method. */
export function renderProbe(result: ProbeResult, width: number): string {
  if (result.status === 'not_assessable') return `Not assessable: ${printableName(result.reason)}\n`;
  const limits = result.limits.flatMap((limit) => {
    const [first, ...rest] = wrap(limit, Math.max(width, 80) - 4, '    ');
    return [`  - ${first.trimStart()}`, ...rest];
  });
  const { held_out, folds, seed, policies, comparisons, subsets, compared_dims, action_dims } = result;
  const lines = [
    `Held out for testing: ${count(held_out.episodes, 'accepted episode')} (${count(held_out.pairs, 'state–action pair')}) in ${folds} folds; random seed ${seed}`,
    ...(result.window_rows > 1 ? [`Policies see ${result.window_rows} rows of state`] : []),
    'Error on held-out actions: 0 is exact, 1 is no better than predicting the mean action; 95 % intervals in brackets',
    ...(compared_dims < action_dims
      ? [`${compared_dims} of ${action_dims} action dimensions vary and are compared`]
      : []),
    '',
    columns([
      ['subset', 'episodes', 'trained on', ...policies.map(({ id }) => words(id))],
      ...subsets.map(rowOf),
    ]).trimEnd(),
    ...subsets.flatMap(notes),
    '',
    ...comparisons.map(
      ({ policy, subset, against, in_words }) => `${words(policy)}, ${subset} and ${against}: ${in_words}`,
    ),
    ...(comparisons.length > 0 ? [''] : []),
    'Limits:',
    ...limits,
  ];
  return `${lines.join('\n')}\n`;
}

function rowOf({ id, episodes, training, outcome }: ProbedSubset): string[] {
  const sizes = [id, grouped(episodes), `${grouped(training.episodes)}, ${count(training.pairs, 'pair')}`];
  if (outcome.status === 'not_assessable') return [...sizes, 'not assessable', 'not assessable'];
  return [
    ...sizes,
    ...outcome.policies.map(
      ({ error, interval: [low, high] }) => `${short(error)} (${short(low)} to ${short(high)})`,
    ),
  ];
}

const short = (error: number): string => (error < 1e4 ? error.toFixed(4) : error.toExponential(2));

function notes({ id, how, left_out, outcome }: ProbedSubset): string[] {
  return [
    ...(id === 'curated' ? [`  ${id}: ${how}`] : []),
    ...left_out.map(({ reason, episodes }) => `  ${id}: ${count(episodes, 'episode')} left out: ${reason}`),
    ...(outcome.status === 'not_assessable' ? [`  ${id}: ${outcome.reason}`] : []),
  ];
}
