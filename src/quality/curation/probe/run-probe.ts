import { seededRandom, significant } from '#core';
import { byId, type CurationEpisode } from '../curation-episode.ts';
import { computeScale, rowsAt, shuffled, standardise } from '../measures/vectors.ts';
import { collectProbePairs, type ProbePairs } from './pairs.ts';
import type { FoldData, Policy } from './policies.ts';
import { nearestNeighbours, ridge } from './policies.ts';
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

/** Maximum number of test rows over all folds; bounds the nearest-neighbour search. */
const maxHeldOut = 4_000;

/** Options of `runProbe`. */
export interface ProbeOptions {
  readonly seed: number;
  /** Number of folds, 2 to 10. */
  readonly folds: number;
  /**
   * State rows per prediction, 1 to 4: the current row and those before it. More rows cost more time. Defaults to 1.
   */
  readonly window?: number;
  /** Ids of the episodes that a plan keeps, and a description of the choice. */
  readonly curated: { readonly kept: readonly string[]; readonly how: string };
}

/**
 * Trains small policies on all, on accepted and on curated episodes, and compares their errors on the same accepted
 * episodes, held out by cross-validation; `not_assessable` with the reason if the set cannot be probed. Deterministic
 * for the same episodes, plan, folds and seed, independent of the input order. Ids must be unique.
 */
export function runProbe(
  all: readonly CurationEpisode[],
  { seed, folds, curated, window = 1 }: ProbeOptions,
): ProbeResult {
  const sorted = all.toSorted(byId);
  const limits = describeLimits(window);
  const pairs = collectProbePairs(sorted);
  if (typeof pairs === 'string') return { status: 'not_assessable', reason: pairs, limits };
  const { episodes, owner, count, state_dims, action_dims } = pairs;
  const order = shuffled([...Array(count).keys()], seededRandom(seed + 1));
  const heldOut = order.filter((row) => episodes[owner[row]].decision === 'accept').slice(0, maxHeldOut);
  const measure = createErrorMeasure(pairs, heldOut);
  if (measure.dims === 0)
    return {
      status: 'not_assessable',
      reason: 'no action dimension varies in the accepted episodes',
      limits,
    };
  const foldOf = assignFolds(pairs, folds, seed);
  const selectedIds = new Set(curated.kept);
  const choices: readonly [SubsetId, string, (episode: CurationEpisode) => boolean][] = [
    ['raw', 'all episodes', () => true],
    ['accepted', 'accepted episodes', ({ decision }) => decision === 'accept'],
    ['curated', curated.how, ({ id }) => selectedIds.has(id)],
  ];
  const probed = choices.map(([id, how, has]) =>
    measureSubset(
      { id, how, members: sorted.filter(has) },
      { pairs, order, testRows: heldOut, foldOf, folds, measure, seed, window },
    ),
  );
  return {
    status: 'measured',
    ...{ seed, folds, window_rows: window, state_dims, action_dims, compared_dims: measure.dims },
    held_out: {
      episodes: new Set(heldOut.map((row) => owner[row])).size,
      pairs: heldOut.length,
      why: heldOutReason,
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

const heldOutReason =
  'the same accepted episodes are held out for every subset: rejected episodes are not a reference for correct actions, and holding out episodes of the plan would favour the plan';

const singleRowLimit = 'policies see a single row, without history';
const describeHistoryLimit = (window: number): string =>
  `policies see ${window} rows of state: the current one and the preceding samples, 1/64 of the episode apart, so history is coarser in longer episodes and contains no velocity; at the start, the first row is repeated`;

/** Describes the limits of a probe, one sentence each. */
const describeLimits = (window: number): readonly string[] => [
  'this is an offline probe: small policies predict recorded actions from recorded states; they see no images and do not predict task success',
  `${window === 1 ? singleRowLimit : describeHistoryLimit(window)}; at most 64 samples per episode, and at most 64 state and 64 action dimensions`,
  'at most 10,000 rows for training per fold and 4,000 held-out rows in total, drawn with the random seed',
  'subsets differ in size; more episodes alone can reduce the error',
  'the intervals reflect how the held-out episodes were chosen, not how the training episodes were chosen',
  'if actions are close to states (position targets), every subset predicts well: compare subsets with each other, not with 0',
  'exact copies of held-out episodes are excluded from training; near copies are not',
];

/**
 * Assigns each recording the fold that holds it out, from 0; -1 if it is never held out. Only accepted episodes are held
 * out: testing on rejected ones would reward a policy for learning their faults. Folds are the same for every subset. They
 * hold whole recordings, so that a policy never trains on an exact copy of a test episode.
 */
function assignFolds(
  { episodes, recordingOf, recordings }: ProbePairs,
  folds: number,
  seed: number,
): Int32Array {
  const accepted = new Set<number>();
  for (const [episodeIndex, { decision }] of episodes.entries())
    if (decision === 'accept') accepted.add(recordingOf[episodeIndex]);
  const foldOf = new Int32Array(recordings).fill(-1);
  for (const [i, recording] of shuffled([...accepted], seededRandom(seed)).entries())
    foldOf[recording] = i % folds;
  return foldOf;
}

/** Maximum training rows per fold, and minimum training episodes. */
const maxTraining = 10_000;
const minTraining = 5;

interface Evaluation {
  readonly pairs: ProbePairs;
  /** All rows in one shuffled order; if there are too many, every subset takes its first ones in this order. */
  readonly order: readonly number[];
  readonly testRows: readonly number[];
  /** Fold of each recording. */
  readonly foldOf: Int32Array;
  readonly folds: number;
  readonly measure: ErrorMeasure;
  readonly seed: number;
  /** State rows per prediction. */
  readonly window: number;
}

interface SubsetSelection extends Pick<ProbedSubset, 'id' | 'how'> {
  readonly members: readonly CurationEpisode[];
}

/**
 * Cross-validates every policy on the subset: trains without a fold and measures errors on the test rows of that
 * fold.
 */
function measureSubset(
  { id, how, members }: SubsetSelection,
  evaluation: Evaluation,
): { readonly subset: ProbedSubset; readonly measured: MeasuredSubset | null } {
  const { pairs, folds, seed } = evaluation;
  const ids = new Set(members.map((episode) => episode.id));
  const foldRows = Array.from({ length: folds }, (_, fold) => selectFoldRows(ids, fold, evaluation));
  const about = {
    ...{ id, how, episodes: members.length, left_out: countLeftOut(ids, pairs) },
    training: {
      episodes: Math.min(...foldRows.map(({ episodes }) => episodes)),
      pairs: Math.min(...foldRows.map(({ training }) => training.length)),
    },
  };
  if (about.training.episodes < minTraining) {
    const reason = `${about.training.episodes} of its episodes remain for training when a fold is held out; at least ${minTraining} are required`;
    return { subset: { ...about, outcome: { status: 'not_assessable', reason } }, measured: null };
  }
  const sums = computeErrors(foldRows, evaluation);
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
  /** Number of episodes that the training rows come from. */
  readonly episodes: number;
}

function selectFoldRows(
  ids: ReadonlySet<string>,
  fold: number,
  { pairs, order, testRows: held, foldOf }: Evaluation,
): FoldRows {
  const { episodes, owner, recordingOf } = pairs;
  const isInFold = (row: number): boolean => foldOf[recordingOf[owner[row]]] === fold;
  const training = order
    .filter((row) => ids.has(episodes[owner[row]].id) && !isInFold(row))
    .slice(0, maxTraining);
  const episodesOf = new Set(training.map((row) => owner[row]));
  return { training, queries: held.filter(isInFold), episodes: episodesOf.size };
}

/** Sums the errors by recording, for each policy. */
function computeErrors(
  foldRows: readonly FoldRows[],
  { pairs, measure, window }: Evaluation,
): MeasuredSubset['sums'] {
  const empty = () => ({
    sums: new Float64Array(pairs.recordings),
    rows: new Int32Array(pairs.recordings),
  });
  const errors = new Map(policies.map(({ id }) => [id, empty()]));
  for (const rows of foldRows) {
    const data = createFoldData(rows, pairs, window);
    for (const policy of policies) {
      const answers = policy.predict(data);
      const { sums, rows: counts } = errors.get(policy.id) ?? empty();
      for (const [at, row] of rows.queries.entries()) {
        const recording = pairs.recordingOf[pairs.owner[row]];
        sums[recording] += measure.compute(row, answers, at);
        counts[recording]++;
      }
    }
  }
  return errors;
}

/** Prepares the data of a fold; standardises by mean and deviation of the training rows only. */
function createFoldData({ training, queries }: FoldRows, pairs: ProbePairs, window: number): FoldData {
  const { actions, action_dims } = pairs;
  const dims = pairs.state_dims * window;
  const points = collectWindows(pairs, [...training, ...queries], window);
  standardise(points, computeScale(points.subarray(0, training.length * dims), dims));
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

function countLeftOut(ids: ReadonlySet<string>, { left_out }: ProbePairs): ProbedSubset['left_out'] {
  const counts = new Map<string, number>();
  for (const [id, reason] of left_out) if (ids.has(id)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, episodes]) => ({ reason, episodes }));
}

/** Policies that a probe trains on every subset. */
const policies: readonly Policy[] = [ridge, nearestNeighbours];

/**
 * Returns the policy inputs for these rows: the current state, then the states of the sampled rows before it in the same
 * episode. At the start of an episode its first row is repeated.
 */
function collectWindows(
  { states, state_dims, previousRow }: Pick<ProbePairs, 'states' | 'state_dims' | 'previousRow'>,
  rows: readonly number[],
  window: number,
): Float32Array {
  const width = state_dims * window;
  const inputs = new Float32Array(rows.length * width);
  for (const [at, row] of rows.entries()) {
    let current = row;
    for (let back = 0; back < window; back++, current = previousRow[current])
      inputs.set(
        states.subarray(current * state_dims, (current + 1) * state_dims),
        at * width + back * state_dims,
      );
  }
  return inputs;
}

/** Squared error of one row, relative to the variance of the held-out actions. */
interface ErrorMeasure {
  /** Number of action dimensions that vary; others are ignored. */
  readonly dims: number;
  /** Returns the mean over the dimensions of the squared error between row `row` and row `at` of `answers`. */
  compute(row: number, answers: Float64Array, at: number): number;
}

/** Creates the error measure for all subsets, scaled by the actions of the held-out rows. */
function createErrorMeasure(
  { actions, action_dims }: ProbePairs,
  heldOutRows: readonly number[],
): ErrorMeasure {
  const { deviations } = computeScale(rowsAt(actions, action_dims, heldOutRows), action_dims);
  const dims = deviations.filter((deviation) => deviation > 0).length;
  return {
    dims,
    compute(row, answers, at) {
      let sum = 0;
      for (let a = 0; a < action_dims; a++)
        if (deviations[a] > 0)
          sum += ((answers[at * action_dims + a] - actions[row * action_dims + a]) / deviations[a]) ** 2;
      return sum / dims;
    },
  };
}

interface MeasuredSubset {
  readonly id: SubsetId;
  readonly members: string;
  readonly sums: ReadonlyMap<Policy['id'], Sums>;
  readonly policies: readonly PolicyError[];
}

/** Compares every pair of subsets by every policy; `subset` is the more selective one, `against` the other. */
function compareSubsets(subsets: readonly MeasuredSubset[], seed: number): ProbeComparison[] {
  return subsets.flatMap((against, i) =>
    subsets
      .slice(i + 1)
      .flatMap((subset) => subset.policies.map((error) => compareTwoSubsets(subset, against, error, seed))),
  );
}

function compareTwoSubsets(
  subset: MeasuredSubset,
  against: MeasuredSubset,
  { policy, interval }: PolicyError,
  seed: number,
): ProbeComparison {
  const againstInterval = against.policies.find((error) => error.policy === policy)?.interval ?? interval;
  const overlap = interval[0] <= againstInterval[1] && againstInterval[0] <= interval[1];
  const [subsetSums, againstSums] = [subset.sums.get(policy), against.sums.get(policy)];
  if (subsetSums === undefined || againstSums === undefined) throw new Error(`${policy} was not measured`);
  const sums = subsetSums.sums.map((sum, place) => sum - againstSums.sums[place]);
  const difference = bootstrap({ sums, rows: subsetSums.rows }, seed);
  const same = subset.members === against.members;
  return {
    policy,
    ...{ subset: subset.id, against: against.id },
    difference,
    intervals_overlap: overlap,
    in_words: same ? 'the same episodes' : describeDifference([subset.id, against.id], overlap, difference),
  };
}

function describeDifference(
  [mine, theirs]: [SubsetId, SubsetId],
  overlap: boolean,
  difference: Estimate,
): string {
  const better = difference.value < 0 ? mine : theirs;
  const [low, high] = difference.interval;
  if (!overlap) return `the intervals do not overlap: ${better} predicts held-out actions better`;
  return low > 0 || high < 0
    ? `the intervals overlap; in a paired comparison by episode, ${better} predicts better by ${significant(Math.abs(difference.value), 2)}`
    : 'the intervals overlap: no difference detected';
}
