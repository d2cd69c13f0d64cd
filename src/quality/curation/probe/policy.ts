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
