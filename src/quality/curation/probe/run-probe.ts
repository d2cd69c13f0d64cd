import { seededRandom } from '#core';
import { byId, type CurationEpisode } from '../curation-episode.ts';
import { shuffled } from '../measures/shuffle.ts';
import { compareSubsets } from './compare.ts';
import { foldsOf } from './folds.ts';
import { probeLimits, whyAccepted } from './limits.ts';
import { measureSubset } from './measure-subset.ts';
import { errorMeasure } from './normalised-error.ts';
import { pairsOf } from './pairs.ts';
import { policies } from './policies.ts';
import type { ProbeResult, SubsetId } from './result.ts';

/** Rows that are tested in all, at most: what the nearest of is looked for. */
const mostHeldOut = 4_000;

export interface ProbeOptions {
  readonly seed: number;
  /** 2 to 10. */
  readonly folds: number;
  /** Rows of state that policies see, 1 to 4, since each makes every distance and fit dearer: 1 is the moment alone. Absent: 1. */
  readonly window?: number;
  /** The episodes that a plan keeps, and how it chose them. */
  readonly curated: { readonly kept: readonly string[]; readonly how: string };
}

/**
 * Trains small policies on all, on accepted and on curated episodes, and compares what they predict of the same accepted
 * episodes, held out fold by fold. The same episodes, plan, folds and seed give the same result, in whatever order the
 * episodes come; ids are unique.
 */
export function runProbe(
  all: readonly CurationEpisode[],
  { seed, folds, curated, window = 1 }: ProbeOptions,
): ProbeResult {
  const sorted = all.toSorted(byId);
  const limits = probeLimits(window);
  const pairs = pairsOf(sorted);
  if (typeof pairs === 'string') return { status: 'not_assessable', reason: pairs, limits };
  const { episodes, owner, count, state_dims, action_dims } = pairs;
  const order = shuffled([...Array(count).keys()], seededRandom(seed + 1));
  const held = order.filter((row) => episodes[owner[row]].decision === 'accept').slice(0, mostHeldOut);
  const measure = errorMeasure(pairs, held);
  if (measure.dims === 0)
    return {
      status: 'not_assessable',
      reason: 'no dimension of the accepted actions varies',
      limits,
    };
  const foldOf = foldsOf(pairs, folds, seed);
  const kept = new Set(curated.kept);
  const choices: readonly [SubsetId, string, (episode: CurationEpisode) => boolean][] = [
    ['raw', 'every episode', () => true],
    ['accepted', 'accepted episodes', ({ decision }) => decision === 'accept'],
    ['curated', curated.how, ({ id }) => kept.has(id)],
  ];
  const probed = choices.map(([id, how, has]) =>
    measureSubset(
      { id, how, members: sorted.filter(has) },
      { pairs, order, held, foldOf, folds, measure, seed, window },
    ),
  );
  return {
    status: 'measured',
    ...{ seed, folds, window_rows: window, state_dims, action_dims, compared_dims: measure.dims },
    held_out: {
      episodes: new Set(held.map((row) => owner[row])).size,
      pairs: held.length,
      why: whyAccepted,
    },
    policies: policies.map(({ id, about }) => ({ id, about })),
    subsets: probed.map(({ subset }) => subset),
    comparisons: compareSubsets(
      probed.flatMap(({ measured }) => measured ?? []),
      seed,
    ),
    limits,
  };
}
