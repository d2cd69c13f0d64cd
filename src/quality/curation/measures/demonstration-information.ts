import type { Random } from '#core';
import type { CurationEpisode, StateActionSample } from '../curation-episode.ts';
import { shuffled } from './shuffle.ts';
import { standardisePoints } from './standardise.ts';

/** Pairs that are compared with each other at once, and neighbours that are counted to. */
const batchPairs = 512;
const neighbours = [5, 6, 7] as const;
const mostNeighbours = 7;
/** Pairs of a set at most, over all repeats; and repeats in other company at most. */
const mostPairs = 120_000;
const mostRepeats = 4;
/** Fewer pairs in all say nothing of the others. */
const fewestPairs = 128;
const fewestEpisodes = 4;

/** Standard scores over the set's pairs, averaged by episode; and why others have none. */
export interface DemonstrationInformation {
  readonly scores: ReadonlyMap<string, number>;
  readonly missing: ReadonlyMap<string, string>;
}

/**
 * How much each demonstration adds to the mutual information of state and action over the set: state variety times
 * predictability of the action. Estimated by k nearest neighbours (Kraskov, Stögbauer and Grassberger 2004, first
 * estimator) in batches of random pairs, clipped at the 1st and 99th percentile, standardised, and averaged over the
 * episode, as DemInf does (Hejna et al. 2025, arXiv 2502.08623); its learnt embeddings are left out: states and actions
 * are standardised numbers, compared within a layout.
 */
export function demonstrationInformation(
  episodes: readonly CurationEpisode[],
  random: Random,
): DemonstrationInformation {
  const missing = new Map<string, string>();
  const scores = new Map<string, number>();
  const layouts = new Map<string, { id: string; sample: StateActionSample }[]>();
  for (const { id, sample } of episodes) {
    const reason = unusable(sample);
    if (sample === undefined || reason !== null) missing.set(id, reason ?? '');
    else if (!layouts.get(sample.layout)?.push({ id, sample })) layouts.set(sample.layout, [{ id, sample }]);
  }
  for (const group of layouts.values()) {
    const pairs = pairsOf(group.map(({ sample }) => sample));
    if (group.length < fewestEpisodes || pairs.count < fewestPairs) {
      const reason = `${group.length} episodes with ${pairs.count} pairs are too few to compare`;
      for (const { id } of group) missing.set(id, reason);
      continue;
    }
    const contributions = standardScores(contributionsOf(pairs, random));
    for (const [i, mean] of meansOf(contributions, pairs.owner, group.length).entries())
      scores.set(group[i].id, mean);
  }
  return { scores, missing };
}

function unusable(sample: StateActionSample | undefined): string | null {
  if (sample === undefined || sample.rows === 0 || sample.state_dims === 0 || sample.action_dims === 0)
    return 'it has no sample of states and actions';
  const finite = sample.states.every(Number.isFinite) && sample.actions.every(Number.isFinite);
  return finite ? null : 'its sampled states or actions are not finite';
}

/** Pairs of all episodes, standardised over the set. */
interface Pairs {
  readonly count: number;
  readonly owner: Int32Array;
  readonly states: Float32Array;
  readonly actions: Float32Array;
  readonly state_dims: number;
  readonly action_dims: number;
}

function pairsOf(samples: readonly StateActionSample[]): Pairs {
  const [{ state_dims, action_dims }] = samples;
  const most = Math.max(8, Math.floor(mostPairs / samples.length));
  const taken = samples.map(({ rows }) => Math.min(rows, most));
  const count = taken.reduce((sum, rows) => sum + rows, 0);
  const owner = new Int32Array(count);
  const states = new Float32Array(count * state_dims);
  const actions = new Float32Array(count * action_dims);
  let at = 0;
  for (const [i, sample] of samples.entries())
    for (let k = 0; k < taken[i]; k++, at++) {
      const row = taken[i] === 1 ? 0 : Math.round((k * (sample.rows - 1)) / (taken[i] - 1));
      owner[at] = i;
      states.set(sample.states.subarray(row * state_dims, (row + 1) * state_dims), at * state_dims);
      actions.set(sample.actions.subarray(row * action_dims, (row + 1) * action_dims), at * action_dims);
    }
  standardisePoints(states, state_dims);
  standardisePoints(actions, action_dims);
  return { count, owner, states, actions, state_dims, action_dims };
}

/** Each pair's part of the sum, averaged over the batches it was in. */
function contributionsOf(pairs: Pairs, random: Random): Float64Array {
  const total = new Float64Array(pairs.count);
  const repeats = Math.max(1, Math.min(mostRepeats, Math.floor(mostPairs / pairs.count)));
  const all = [...total.keys()];
  const digamma = digammaTable(2 * batchPairs);
  for (let repeat = 0; repeat < repeats; repeat++) {
    const order = shuffled(all, random);
    const batches = Math.max(1, Math.round(pairs.count / batchPairs));
    for (let b = 0; b < batches; b++) {
      const from = Math.floor((b * pairs.count) / batches);
      const to = Math.floor(((b + 1) * pairs.count) / batches);
      addBatch(pairs, order.slice(from, to), digamma, total);
    }
  }
  return total.map((sum) => sum / repeats);
}

function addBatch(pairs: Pairs, batch: readonly number[], digamma: Float64Array, total: Float64Array): void {
  const size = batch.length;
  const states = squaredDistances(pairs.states, pairs.state_dims, batch);
  const actions = squaredDistances(pairs.actions, pairs.action_dims, batch);
  const nearest = new Float32Array(mostNeighbours + 1);
  for (let i = 0; i < size; i++) {
    const row = i * size;
    nearest.fill(Number.POSITIVE_INFINITY);
    for (let j = 0; j < size; j++) {
      const joint = Math.max(states[row + j], actions[row + j]);
      if (joint >= nearest[mostNeighbours]) continue;
      let at = mostNeighbours;
      for (; at > 0 && nearest[at - 1] > joint; at--) nearest[at] = nearest[at - 1];
      nearest[at] = joint;
    }
    let sum = 0;
    // Where a robot waits, k pairs are the very same and the radius is 0: those at distance 0 always count.
    for (const k of neighbours) {
      const radius = nearest[k];
      let near_states = 0;
      let near_actions = 0;
      for (let j = row; j < row + size; j++) {
        if (states[j] < radius || states[j] === 0) near_states++;
        if (actions[j] < radius || actions[j] === 0) near_actions++;
      }
      sum += digamma[near_states] + digamma[near_actions];
    }
    total[batch[i]] -= sum / neighbours.length;
  }
}

function squaredDistances(values: Float32Array, dims: number, batch: readonly number[]): Float32Array {
  const size = batch.length;
  const rows = new Float32Array(size * dims);
  for (let i = 0; i < size; i++) rows.set(values.subarray(batch[i] * dims, (batch[i] + 1) * dims), i * dims);
  const distances = new Float32Array(size * size);
  for (let i = 0; i < size; i++)
    for (let j = i + 1; j < size; j++) {
      let sum = 0;
      for (let d = 0, a = i * dims, b = j * dims; d < dims; d++, a++, b++)
        sum += (rows[a] - rows[b]) * (rows[a] - rows[b]);
      distances[i * size + j] = sum;
      distances[j * size + i] = sum;
    }
  return distances;
}

function standardScores(values: Float64Array): Float64Array {
  const sorted = values.toSorted();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))];
  const [low, high] = [at(0.01), at(0.99)];
  const clipped = values.map((value) => Math.min(high, Math.max(low, value)));
  const mean = clipped.reduce((sum, value) => sum + value, 0) / clipped.length;
  const variance = clipped.reduce((sum, value) => sum + (value - mean) ** 2, 0) / clipped.length;
  const scale = variance > 0 ? 1 / Math.sqrt(variance) : 0;
  return clipped.map((value) => (value - mean) * scale);
}

function meansOf(values: Float64Array, owner: Int32Array, owners: number): Float64Array {
  const sums = new Float64Array(owners);
  const counts = new Float64Array(owners);
  for (const [i, value] of values.entries()) {
    sums[owner[i]] += value;
    counts[owner[i]]++;
  }
  return sums.map((sum, i) => sum / counts[i]);
}

/** The digamma function at a positive whole number: harmonic number minus Euler's constant. */
function digammaTable(most: number): Float64Array {
  const table = new Float64Array(most + 1);
  table[0] = Number.NEGATIVE_INFINITY;
  let sum = -0.5772156649015329;
  for (let n = 1; n <= most; n++) {
    table[n] = sum;
    sum += 1 / n;
  }
  return table;
}
