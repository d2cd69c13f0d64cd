import type { ProbePairs } from './pairs.ts';

/**
 * What policies see of some rows: the state at the moment, then those of the sampled moments before it in the same
 * episode. Before an episode's first moment stands the first again.
 */
export function windowsAt(
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
