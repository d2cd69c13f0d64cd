import { rowsAt, scaleOf } from '../measures/standardise.ts';
import type { ProbePairs } from './pairs.ts';

/** Squared errors of rows, in variances of the held-out actions: 1 is what their mean as the answer would give. */
export interface ErrorMeasure {
  /** Dimensions of the action that vary; the others say nothing and are left out. */
  readonly dims: number;
  /** The mean over the dimensions, for the action at place `at` of `answers`. */
  of(row: number, answers: Float64Array, at: number): number;
}

/** One measure for all subsets, by the actions of the held-out rows. */
export function errorMeasure({ actions, action_dims }: ProbePairs, held: readonly number[]): ErrorMeasure {
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
