/** Moments of many ranges of rows together, by dimension. */
export interface Pool {
  readonly dims: number;
  episodes: number;
  rows: number;
  /** Rows of the longest episode. */
  longest: number;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
  /** Sums of squared distances from the mean. */
  readonly squares: Float64Array;
}

export function emptyPool(dims: number): Pool {
  return {
    dims,
    episodes: 0,
    rows: 0,
    longest: 0,
    min: new Float64Array(dims).fill(Number.POSITIVE_INFINITY),
    max: new Float64Array(dims).fill(Number.NEGATIVE_INFINITY),
    mean: new Float64Array(dims),
    squares: new Float64Array(dims),
  };
}

interface Moments {
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly mean: readonly number[];
  readonly std: readonly number[];
}

/** Adds an episode of `samples` rows whose dimensions begin at `first` (Chan, Golub and LeVeque 1979). */
export function addMoments(pool: Pool, own: Moments, first: number, samples: number): void {
  const rows = pool.rows + samples;
  for (let d = 0; d < pool.dims; d++) {
    const at = first + d;
    const delta = own.mean[at] - pool.mean[d];
    pool.min[d] = Math.min(pool.min[d], own.min[at]);
    pool.max[d] = Math.max(pool.max[d], own.max[at]);
    pool.mean[d] += (delta * samples) / rows;
    pool.squares[d] += own.std[at] ** 2 * samples + (delta * delta * pool.rows * samples) / rows;
  }
  pool.rows = rows;
  pool.episodes += 1;
  pool.longest = Math.max(pool.longest, samples);
}
