import { seededRandom, significant } from '#core';
import { byId, type CurationEpisode } from '../curation-episode.ts';
import { shuffled } from '../measures/shuffle.ts';
import { rowsAt, scaleOf, standardise } from '../measures/standardise.ts';
import { nearestNeighbours } from './nearest-neighbours.ts';
import { type ProbePairs, pairsOf } from './pairs.ts';
import type { FoldData, Policy } from './policy.ts';
import {
  bootstrap,
  type Estimate,
  type PolicyError,
  type ProbeComparison,
  type ProbedSubset,
  type ProbeResult,
  type SubsetId,
  type Sums,
} from './result.ts';
import { ridge } from './ridge.ts';

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

const whyAccepted =
  'the same accepted episodes are held out for every subset: rejected ones are no measure of right actions, and those of a plan would favour the plan';

const seesOne = 'they see one row, without history';
const seesHistory = (window: number): string =>
  `they see ${window} rows of state: the moment's and those of the moments sampled before it, a sixty-fourth of the episode apart, so that history is coarser in longer episodes and tells no velocity; before the first moment stands the first again`;

/** What a probe does not say. */
const probeLimits = (window: number): readonly string[] => [
  'this is a probe, not a robot: small policies predict recorded actions from recorded states; they see no pictures, move nothing, and say nothing of success at a task',
  `${window === 1 ? seesOne : seesHistory(window)}; up to 64 moments of an episode, and up to 64 dimensions of states and of actions`,
  'at most 10,000 rows train on a fold and 4,000 are held out in all, drawn by the seed',
  'subsets differ in size, and more episodes alone can lower the error',
  'intervals tell the chance of which episodes were held out, not of which ones trained',
  'where actions follow states closely, such as positions, every subset predicts well: compare subsets with each other, not with 0',
  'exact copies of a held-out episode never train; near copies can',
];

/**
 * The fold that holds each recording out, from 0; -1: it is never held out. Only accepted episodes are: what a rejected
 * one does is no measure of what is right, and whoever learnt its faults would be praised for them. The folds are the
 * same for every subset, and an exact copy never trains what its twin tests.
 */
function foldsOf({ episodes, recordingOf, recordings }: ProbePairs, folds: number, seed: number): Int32Array {
  const accepted = new Set<number>();
  for (const [place, { decision }] of episodes.entries())
    if (decision === 'accept') accepted.add(recordingOf[place]);
  const foldOf = new Int32Array(recordings).fill(-1);
  for (const [i, recording] of shuffled([...accepted], seededRandom(seed)).entries())
    foldOf[recording] = i % folds;
  return foldOf;
}

/** Rows that a policy learns from, at most, and episodes, at least. */
const mostTraining = 10_000;
const fewestTraining = 5;

interface Evaluation {
  readonly pairs: ProbePairs;
  /** All rows in one drawn order: where there are too many, subsets take the same first ones. */
  readonly order: readonly number[];
  readonly held: readonly number[];
  /** By recording. */
  readonly foldOf: Int32Array;
  readonly folds: number;
  readonly measure: ErrorMeasure;
  readonly seed: number;
  /** Rows of state that policies see. */
  readonly window: number;
}

interface Choice extends Pick<ProbedSubset, 'id' | 'how'> {
  readonly members: readonly CurationEpisode[];
}

/** Trains every policy on the subset less each fold, and measures it on that fold. */
function measureSubset(
  { id, how, members }: Choice,
  evaluation: Evaluation,
): { readonly subset: ProbedSubset; readonly measured: Measured | null } {
  const { pairs, folds, seed } = evaluation;
  const ids = new Set(members.map((episode) => episode.id));
  const foldRows = Array.from({ length: folds }, (_, fold) => rowsOf(ids, fold, evaluation));
  const about = {
    ...{ id, how, episodes: members.length, left_out: leftOut(ids, pairs) },
    training: {
      episodes: Math.min(...foldRows.map(({ episodes }) => episodes)),
      pairs: Math.min(...foldRows.map(({ training }) => training.length)),
    },
  };
  if (about.training.episodes < fewestTraining) {
    const reason = `${about.training.episodes} of its episodes remain to train on beside a fold; ${fewestTraining} are needed`;
    return { subset: { ...about, outcome: { status: 'not_assessable', reason } }, measured: null };
  }
  const sums = errorsOf(foldRows, evaluation);
  const errors = [...sums].map(([policy, each]) => {
    const { value, interval } = bootstrap(each, seed);
    return { policy, error: value, interval };
  });
  return {
    subset: { ...about, outcome: { status: 'measured', policies: errors } },
    measured: { id, members: JSON.stringify([...ids]), sums, policies: errors },
  };
}

interface FoldRows {
  readonly training: readonly number[];
  readonly queries: readonly number[];
  /** That training rows are of. */
  readonly episodes: number;
}

function rowsOf(
  ids: ReadonlySet<string>,
  fold: number,
  { pairs, order, held, foldOf }: Evaluation,
): FoldRows {
  const { episodes, owner, recordingOf } = pairs;
  const heldIn = (row: number): boolean => foldOf[recordingOf[owner[row]]] === fold;
  const training = order
    .filter((row) => ids.has(episodes[owner[row]].id) && !heldIn(row))
    .slice(0, mostTraining);
  const episodesOf = new Set(training.map((row) => owner[row]));
  return { training, queries: held.filter(heldIn), episodes: episodesOf.size };
}

/** Sums of errors by recording, for each policy. */
function errorsOf(foldRows: readonly FoldRows[], { pairs, measure, window }: Evaluation): Measured['sums'] {
  const empty = () => ({
    sums: new Float64Array(pairs.recordings),
    rows: new Int32Array(pairs.recordings),
  });
  const errors = new Map(policies.map(({ id }) => [id, empty()]));
  for (const rows of foldRows) {
    const data = foldDataOf(rows, pairs, window);
    for (const policy of policies) {
      const answers = policy.predict(data);
      const { sums, rows: counts } = errors.get(policy.id) ?? empty();
      for (const [at, row] of rows.queries.entries()) {
        const recording = pairs.recordingOf[pairs.owner[row]];
        sums[recording] += measure.of(row, answers, at);
        counts[recording]++;
      }
    }
  }
  return errors;
}

/** Means and scales come from the training rows alone. */
function foldDataOf({ training, queries }: FoldRows, pairs: ProbePairs, window: number): FoldData {
  const { actions, action_dims } = pairs;
  const dims = pairs.state_dims * window;
  const points = windowsAt(pairs, [...training, ...queries], window);
  standardise(points, scaleOf(points.subarray(0, training.length * dims), dims));
  const trainingActions = new Float64Array(training.length * action_dims);
  for (const [i, row] of training.entries())
    trainingActions.set(actions.subarray(row * action_dims, (row + 1) * action_dims), i * action_dims);
  return {
    points,
    dims,
    training: training.length,
    queries: queries.length,
    actions: trainingActions,
    action_dims,
  };
}

function leftOut(ids: ReadonlySet<string>, { left_out }: ProbePairs): ProbedSubset['left_out'] {
  const counts = new Map<string, number>();
  for (const [id, reason] of left_out) if (ids.has(id)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, episodes]) => ({ reason, episodes }));
}

/** What a probe trains on every subset. */
const policies: readonly Policy[] = [ridge, nearestNeighbours];

/**
 * What policies see of some rows: the state at the moment, then those of the sampled moments before it in the same
 * episode. Before an episode's first moment stands the first again.
 */
function windowsAt(
  { states, state_dims, before }: Pick<ProbePairs, 'states' | 'state_dims' | 'before'>,
  rows: readonly number[],
  window: number,
): Float32Array {
  const width = state_dims * window;
  const seen = new Float32Array(rows.length * width);
  for (const [at, row] of rows.entries()) {
    let own = row;
    for (let back = 0; back < window; back++, own = before[own])
      seen.set(states.subarray(own * state_dims, (own + 1) * state_dims), at * width + back * state_dims);
  }
  return seen;
}

/** Squared errors of rows, in variances of the held-out actions: 1 is what their mean as the answer would give. */
interface ErrorMeasure {
  /** Dimensions of the action that vary; the others say nothing and are left out. */
  readonly dims: number;
  /** The mean over the dimensions, for the action at place `at` of `answers`. */
  of(row: number, answers: Float64Array, at: number): number;
}

/** One measure for all subsets, by the actions of the held-out rows. */
function errorMeasure({ actions, action_dims }: ProbePairs, held: readonly number[]): ErrorMeasure {
  const { deviations } = scaleOf(rowsAt(actions, action_dims, held), action_dims);
  const dims = deviations.filter((deviation) => deviation > 0).length;
  return {
    dims,
    of(row, answers, at) {
      let sum = 0;
      for (let a = 0; a < action_dims; a++)
        if (deviations[a] > 0)
          sum += ((answers[at * action_dims + a] - actions[row * action_dims + a]) / deviations[a]) ** 2;
      return sum / dims;
    },
  };
}

interface Measured {
  readonly id: SubsetId;
  readonly members: string;
  readonly sums: ReadonlyMap<Policy['id'], Sums>;
  readonly policies: readonly PolicyError[];
}

/** Each two subsets, the more chosen one first, by every policy. */
function compareSubsets(subsets: readonly Measured[], seed: number): ProbeComparison[] {
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
