import { nearestRows } from '../measures/nearest-rows.ts';
import type { Policy } from './policy.ts';

const neighbours = 5;

/** Policy that predicts the mean action of the 5 nearest training states. */
export const nearestNeighbours: Policy = {
  id: 'nearest_neighbours',
  about: 'mean action of the 5 nearest standardised states',
  predict({ points, dims, training, queries, actions, action_dims }) {
    const trainingRows = [...Array(training).keys()];
    const answers = new Float64Array(queries * action_dims);
    for (let q = 0; q < queries; q++) {
      const near = nearestRows({ points, dims }, training + q, trainingRows, Math.min(neighbours, training));
      for (const { row } of near)
        for (let a = 0; a < action_dims; a++)
          answers[q * action_dims + a] += actions[row * action_dims + a] / near.length;
    }
    return answers;
  },
};
