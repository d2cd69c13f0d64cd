import { sampleEvenly, seededRandom } from '#core';
import type { Vectors } from './vectors.ts';

/** Number of principal components kept. */
const principalDims = 16;
/** Rows sampled for the covariance, and iterations of the orthogonal iteration. */
const maxRows = 1000;
const iterations = 15;

/**
 * Projects the points on their first 16 principal components (orthogonal iteration from a fixed start); returns points of
 * up to 16 dimensions unchanged. Distances never increase.
 */
export function projectToPrincipal({ ids, dims, points, missing }: Vectors): Vectors {
  if (dims <= principalDims) return { ids, dims, points, missing };
  const covariance = computeCovariance(points, dims, ids.length);
  const random = seededRandom(1);
  let basis = Float64Array.from({ length: principalDims * dims }, () => random.normal());
  orthonormalise(basis, dims);
  for (let round = 0; round < iterations; round++) {
    basis = multiply(basis, covariance, dims);
    orthonormalise(basis, dims);
  }
  const turned = new Float32Array(ids.length * principalDims);
  for (let i = 0; i < ids.length; i++)
    for (let k = 0; k < principalDims; k++) {
      let sum = 0;
      for (let d = 0; d < dims; d++) sum += points[i * dims + d] * basis[k * dims + d];
      turned[i * principalDims + k] = sum;
    }
  return { ids, dims: principalDims, points: turned, missing };
}

function computeCovariance(points: Float32Array, dims: number, rows: number): Float64Array {
  const covariance = new Float64Array(dims * dims);
  for (const row of sampleEvenly([...Array(rows).keys()], maxRows))
    for (let a = 0; a < dims; a++) {
      const value = points[row * dims + a];
      if (value === 0) continue;
      for (let b = 0; b < dims; b++) covariance[a * dims + b] += value * points[row * dims + b];
    }
  return covariance;
}

function multiply(basis: Float64Array, matrix: Float64Array, dims: number): Float64Array<ArrayBuffer> {
  const result = new Float64Array(basis.length);
  for (let k = 0; k < principalDims; k++)
    for (let a = 0; a < dims; a++) {
      const value = basis[k * dims + a];
      for (let b = 0; b < dims; b++) result[k * dims + b] += value * matrix[a * dims + b];
    }
  return result;
}

/** Orthonormalises the rows in place (Gram-Schmidt); a row that depends linearly on earlier ones becomes 0. */
function orthonormalise(basis: Float64Array, dims: number): void {
  const rowOf = (k: number): Float64Array => basis.subarray(k * dims, (k + 1) * dims);
  for (let k = 0; k < principalDims; k++) {
    const row = rowOf(k);
    const before = Math.sqrt(dot(row, row));
    for (let earlier = 0; earlier < k; earlier++) {
      const other = rowOf(earlier);
      const along = dot(row, other);
      for (let d = 0; d < dims; d++) row[d] -= along * other[d];
    }
    const length = Math.sqrt(dot(row, row));
    const scale = length > 1e-9 * before && length > 0 ? 1 / length : 0;
    for (let d = 0; d < dims; d++) row[d] *= scale;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d] * b[d];
  return sum;
}
