/** Standardised states to learn from, followed by those to answer; the actions of the first. */
export interface FoldData {
  /** Row-major, `training + queries` rows; mean 0 and variance 1 over the training rows. */
  readonly points: Float32Array;
  readonly dims: number;
  readonly training: number;
  readonly queries: number;
  /** Row-major, `training` rows, in units of their own. */
  readonly actions: Float64Array;
  readonly action_dims: number;
}

/** A small policy without random choices and without rounds of training. */
export interface Policy {
  readonly id: 'ridge' | 'nearest_neighbours';
  /** What it does and by which formula. */
  readonly about: string;
  /** Actions for the queries, row-major. */
  predict(data: FoldData): Float64Array;
}
