import { nearestRows } from '../measures/vectors.ts';

/**
 * Data of one fold: standardised training states followed by query states, and the actions of the training states.
 */
export interface FoldData {
  /** Row-major, `training + queries` rows; mean 0 and variance 1 over the training rows. */
  readonly points: Float32Array;
  readonly dims: number;
  readonly training: number;
  readonly queries: number;
  /** Row-major, `training` rows, in recorded units. */
  readonly actions: Float64Array;
  readonly action_dims: number;
}

/** Small deterministic policy without iterative training. */
export interface Policy {
  readonly id: 'ridge' | 'nearest_neighbours';
  /** Description with the formula. */
  readonly about: string;
  /** Fits the training rows and returns the actions for the queries, row-major. */
  predict(data: FoldData): Float64Array;
}

const neighbourCount = 5;

/** Policy that predicts the mean action of the 5 nearest training states. */
export const nearestNeighbours: Policy = {
  id: 'nearest_neighbours',
  about: 'mean action of the 5 nearest standardised states',
  predict({ points, dims, training, queries, actions, action_dims }) {
    const trainingRows = [...Array(training).keys()];
    const answers = new Float64Array(queries * action_dims);
    for (let q = 0; q < queries; q++) {
      const near = nearestRows(
        { points, dims },
        training + q,
        trainingRows,
        Math.min(neighbourCount, training),
      );
      for (const { row } of near)
        for (let a = 0; a < action_dims; a++)
          answers[q * action_dims + a] += actions[row * action_dims + a] / near.length;
    }
    return answers;
  },
};

/** Ridge penalty, relative to the variance of a standardised state. */
const regulariser = 1e-3;

/**
 * Ridge regression: solves `(XᵀX / n + 0.001 I) W = Xᵀ (Y - mean) / n` by Cholesky decomposition; the mean is not
 * penalised.
 */
export const ridge: Policy = {
  id: 'ridge',
  about: 'ridge regression (closed form, regularisation 0.001, standardised states)',
  predict(data) {
    const { points, dims, training, queries, action_dims } = data;
    const means = computeMeans(data);
    const { gram, moments } = computeMoments(data, means);
    factorise(gram, dims);
    solve(gram, moments, dims, action_dims);
    const answers = new Float64Array(queries * action_dims);
    for (let q = 0; q < queries; q++)
      for (let a = 0; a < action_dims; a++) {
        let sum = means[a];
        for (let d = 0; d < dims; d++)
          sum += points[(training + q) * dims + d] * moments[d * action_dims + a];
        answers[q * action_dims + a] = sum;
      }
    return answers;
  },
};

function computeMeans({ actions, action_dims, training }: FoldData): Float64Array {
  const means = new Float64Array(action_dims);
  for (let i = 0; i < training; i++)
    for (let a = 0; a < action_dims; a++) means[a] += actions[i * action_dims + a] / training;
  return means;
}

function computeMoments({ points, dims, training, actions, action_dims }: FoldData, means: Float64Array) {
  const gram = new Float64Array(dims * dims);
  const moments = new Float64Array(dims * action_dims);
  for (let i = 0; i < training; i++)
    for (let d = 0; d < dims; d++) {
      const value = points[i * dims + d] / training;
      if (value === 0) continue;
      for (let e = 0; e <= d; e++) gram[d * dims + e] += value * points[i * dims + e];
      for (let a = 0; a < action_dims; a++)
        moments[d * action_dims + a] += value * (actions[i * action_dims + a] - means[a]);
    }
  for (let d = 0; d < dims; d++) gram[d * dims + d] += regulariser;
  return { gram, moments };
}

/** Replaces the lower triangle by its Cholesky factor, in place. */
function factorise(matrix: Float64Array, dims: number): void {
  for (let i = 0; i < dims; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * dims + j];
      for (let k = 0; k < j; k++) sum -= matrix[i * dims + k] * matrix[j * dims + k];
      // The regulariser keeps the diagonal positive, except for rounding.
      matrix[i * dims + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / matrix[j * dims + j];
    }
}

/** Solves for every column in place, by forward and back substitution. */
function solve(factor: Float64Array, columns: Float64Array, dims: number, width: number): void {
  for (let c = 0; c < width; c++) {
    for (let i = 0; i < dims; i++) {
      let sum = columns[i * width + c];
      for (let k = 0; k < i; k++) sum -= factor[i * dims + k] * columns[k * width + c];
      columns[i * width + c] = sum / factor[i * dims + i];
    }
    for (let i = dims - 1; i >= 0; i--) {
      let sum = columns[i * width + c];
      for (let k = i + 1; k < dims; k++) sum -= factor[k * dims + i] * columns[k * width + c];
      columns[i * width + c] = sum / factor[i * dims + i];
    }
  }
}
