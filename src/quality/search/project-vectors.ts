type Vector = readonly number[];
/** A point of a plane. */
export type PlanePoint = readonly [x: number, y: number];

const rounds = 60;
const decimals = 1e4;

/**
 * Projects vectors of equal length to their first two principal components, scaled by one factor so that all
 * coordinates are within −1 and 1. The same vectors give the same points.
 */
export function projectVectors(vectors: readonly Vector[]): PlanePoint[] {
  const dims = vectors[0]?.length ?? 0;
  const mean = Array.from(
    { length: dims },
    (_, d) => vectors.reduce((sum, v) => sum + v[d], 0) / vectors.length,
  );
  const rows = vectors.map((vector) => Float64Array.from(vector, (value, d) => value - mean[d]));
  const covariance = computeCovariance(rows, dims);
  const first = findAxis(covariance, null);
  const second = findAxis(covariance, first);
  const points = rows.map((row) => [dot(row, first), dot(row, second)] as const);
  const widest = points.reduce((most, [x, y]) => Math.max(most, Math.abs(x), Math.abs(y)), 0);
  const scale = (value: number) => (widest > 0 ? Math.round((value / widest) * decimals) / decimals + 0 : 0);
  return points.map(([x, y]) => [scale(x), scale(y)]);
}

function computeCovariance(rows: readonly Float64Array[], dims: number): Float64Array[] {
  const sums = Array.from({ length: dims }, () => new Float64Array(dims));
  for (const row of rows)
    for (let i = 0; i < dims; i++) {
      if (row[i] === 0) continue;
      for (let j = 0; j <= i; j++) sums[i][j] += row[i] * row[j];
    }
  for (let i = 0; i < dims; i++) for (let j = 0; j < i; j++) sums[j][i] = sums[i][j];
  return sums;
}

/** Finds the axis of the largest variance, perpendicular to `other`, by power iteration. */
function findAxis(covariance: readonly Float64Array[], other: Float64Array | null): Float64Array {
  // The row of the largest variance is rarely perpendicular to the axis.
  const variances = covariance.map((row, i) => row[i] - (other === null ? 0 : row[i] * other[i] ** 2));
  let axis = Float64Array.from(covariance[variances.indexOf(Math.max(...variances))] ?? []);
  for (let round = 0; round < rounds; round++) {
    if (other !== null) {
      const along = dot(axis, other);
      axis = axis.map((value, d) => value - along * other[d]);
    }
    const length = Math.sqrt(dot(axis, axis));
    if (!(length > 1e-12)) return new Float64Array(axis.length);
    const unit = axis.map((value) => value / length);
    axis = Float64Array.from(covariance, (row) => dot(row, unit));
    if (round === rounds - 1) return unit;
  }
  return axis;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
