import { significant } from '#core';
import { bootstrap, type Estimate, type Sums } from './bootstrap.ts';
import type { Policy } from './policy.ts';
import type { PolicyError, ProbeComparison, SubsetId } from './result.ts';

export interface Measured {
  readonly id: SubsetId;
  readonly members: string;
  readonly sums: ReadonlyMap<Policy['id'], Sums>;
  readonly policies: readonly PolicyError[];
}

/** Each two subsets, the more chosen one first, by every policy. */
export function compareSubsets(subsets: readonly Measured[], seed: number): ProbeComparison[] {
  return subsets.flatMap((against, i) =>
    subsets
      .slice(i + 1)
      .flatMap((subset) => subset.policies.map((error) => comparisonOf(subset, against, error, seed))),
  );
}

function comparisonOf(
  subset: Measured,
  against: Measured,
  { policy, interval }: PolicyError,
  seed: number,
): ProbeComparison {
  const other = against.policies.find((error) => error.policy === policy)?.interval ?? interval;
  const overlap = interval[0] <= other[1] && other[0] <= interval[1];
  const [mine, theirs] = [subset.sums.get(policy), against.sums.get(policy)];
  if (mine === undefined || theirs === undefined) throw new Error(`${policy} was not measured`);
  const sums = mine.sums.map((sum, place) => sum - theirs.sums[place]);
  const difference = bootstrap({ sums, rows: mine.rows }, seed);
  const same = subset.members === against.members;
  return {
    policy,
    ...{ subset: subset.id, against: against.id },
    difference,
    intervals_overlap: overlap,
    in_words: same ? 'the same episodes' : inWords([subset.id, against.id], overlap, difference),
  };
}

function inWords([mine, theirs]: [SubsetId, SubsetId], overlap: boolean, difference: Estimate): string {
  const better = difference.value < 0 ? mine : theirs;
  const [low, high] = difference.interval;
  if (!overlap) return `the intervals are apart: ${better} predicts held-out actions better`;
  return low > 0 || high < 0
    ? `the intervals overlap; episode by episode ${better} predicts better, by ${significant(Math.abs(difference.value), 2)}`
    : 'the intervals overlap: the probe does not tell them apart';
}
