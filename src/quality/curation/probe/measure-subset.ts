import type { CurationEpisode } from '../curation-episode.ts';
import { scaleOf, standardise } from '../measures/standardise.ts';
import { bootstrap } from './bootstrap.ts';
import type { Measured } from './compare.ts';
import type { ErrorMeasure } from './normalised-error.ts';
import type { ProbePairs } from './pairs.ts';
import { policies } from './policies.ts';
import type { FoldData } from './policy.ts';
import type { ProbedSubset } from './result.ts';
import { windowsAt } from './windows.ts';

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
export function measureSubset(
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
