import type { Random } from '#core';
import type { CurationEpisode, StateActionSample } from '../curation-episode.ts';
import { shuffled, standardisePoints } from './vectors.ts';

/** Pairs per batch, which are compared with each other, and the values of k that are averaged. */
const batchPairs = 512;
const neighbourCounts = [5, 6, 7] as const;
const maxNeighbours = 7;
/** Limits on the pairs of a set times repeats, and on the repeats with other random batches. */
const maxPairs = 120_000;
const maxRepeats = 4;
/** Pairs and episodes of one layout that an estimate needs. */
const minPairs = 128;
const minEpisodes = 4;

/** Score of each episode (mean standard score of its pairs), and the reasons why others have none; both by id. */
export interface DemonstrationInformation {
  readonly scores: ReadonlyMap<string, number>;
  readonly missing: ReadonlyMap<string, string>;
}

/**
 * Scores how much each demonstration adds to the mutual information of state and action over the set; episodes that
 * cannot be scored are `missing`, with the reason. It is state variety times predictability of the action. Estimated
 * by k nearest neighbours (Kraskov, Stögbauer and Grassberger 2004, first estimator) in batches of random pairs,
 * clipped at the 1st and 99th percentile, standardised, and averaged over the episode, as DemInf does (Hejna et al.
 * 2025, arXiv 2502.08623); unlike DemInf, it uses standardised states and actions instead of learnt embeddings, and
 * compares only within a layout.
 */
export function estimateDemonstrationInformation(
  episodes: readonly CurationEpisode[],
  random: Random,
): DemonstrationInformation {
  const missing = new Map<string, string>();
  const scores = new Map<string, number>();
  const layouts = new Map<string, { id: string; sample: StateActionSample }[]>();
  for (const { id, sample } of episodes) {
    const reason = findSampleProblem(sample);
    if (sample === undefined || reason !== null) missing.set(id, reason ?? '');
    else if (!layouts.get(sample.layout)?.push({ id, sample })) layouts.set(sample.layout, [{ id, sample }]);
  }
  for (const group of layouts.values()) {
    const pairs = collectPairs(group.map(({ sample }) => sample));
    if (group.length < minEpisodes || pairs.count < minPairs) {
      const reason = `too few episodes to compare: ${group.length} with ${pairs.count} pairs`;
      for (const { id } of group) missing.set(id, reason);
      continue;
    }
    const contributions = computeStandardScores(computeContributions(pairs, random));
    for (const [i, mean] of computeMeans(contributions, pairs.owner, group.length).entries())
      scores.set(group[i].id, mean);
  }
  return { scores, missing };
}

/** Returns the reason why a sample cannot be used; null if it can. */
function findSampleProblem(sample: StateActionSample | undefined): string | null {
  if (sample === undefined || sample.rows === 0 || sample.state_dims === 0 || sample.action_dims === 0)
    return 'no stored samples of states and actions';
  const finite = sample.states.every(Number.isFinite) && sample.actions.every(Number.isFinite);
  return finite ? null : 'non-finite sampled states or actions';
}

/**
 * State-action pairs of all episodes, standardised over the set; `owner` is the index of the episode of each pair.
 */
interface Pairs {
  readonly count: number;
  readonly owner: Int32Array;
  readonly states: Float32Array;
  readonly actions: Float32Array;
  readonly state_dims: number;
  readonly action_dims: number;
}

function collectPairs(samples: readonly StateActionSample[]): Pairs {
  const [{ state_dims, action_dims }] = samples;
  const maxRows = Math.max(8, Math.floor(maxPairs / samples.length));
  const rowCounts = samples.map(({ rows }) => Math.min(rows, maxRows));
  const count = rowCounts.reduce((sum, rows) => sum + rows, 0);
  const owner = new Int32Array(count);
  const states = new Float32Array(count * state_dims);
  const actions = new Float32Array(count * action_dims);
  let at = 0;
  for (const [i, sample] of samples.entries())
    for (let k = 0; k < rowCounts[i]; k++, at++) {
      const row = rowCounts[i] === 1 ? 0 : Math.round((k * (sample.rows - 1)) / (rowCounts[i] - 1));
      owner[at] = i;
      states.set(sample.states.subarray(row * state_dims, (row + 1) * state_dims), at * state_dims);
      actions.set(sample.actions.subarray(row * action_dims, (row + 1) * action_dims), at * action_dims);
    }
  standardisePoints(states, state_dims);
  standardisePoints(actions, action_dims);
  return { count, owner, states, actions, state_dims, action_dims };
}

/** Computes each pair's contribution to the mutual information, averaged over the repeats. */
function computeContributions(pairs: Pairs, random: Random): Float64Array {
  const total = new Float64Array(pairs.count);
  const repeats = Math.max(1, Math.min(maxRepeats, Math.floor(maxPairs / pairs.count)));
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
  const states = computeSquaredDistances(pairs.states, pairs.state_dims, batch);
  const actions = computeSquaredDistances(pairs.actions, pairs.action_dims, batch);
  const nearest = new Float32Array(maxNeighbours + 1);
  for (let i = 0; i < size; i++) {
    const row = i * size;
    nearest.fill(Number.POSITIVE_INFINITY);
    for (let j = 0; j < size; j++) {
      const joint = Math.max(states[row + j], actions[row + j]);
      if (joint >= nearest[maxNeighbours]) continue;
      let at = maxNeighbours;
      for (; at > 0 && nearest[at - 1] > joint; at--) nearest[at] = nearest[at - 1];
      nearest[at] = joint;
    }
    let sum = 0;
    // While a robot waits, k pairs are identical and the radius is 0: pairs at distance 0 always count.
    for (const k of neighbourCounts) {
      const radius = nearest[k];
      let near_states = 0;
      let near_actions = 0;
      for (let j = row; j < row + size; j++) {
        if (states[j] < radius || states[j] === 0) near_states++;
        if (actions[j] < radius || actions[j] === 0) near_actions++;
      }
      sum += digamma[near_states] + digamma[near_actions];
    }
    total[batch[i]] -= sum / neighbourCounts.length;
  }
}

function computeSquaredDistances(values: Float32Array, dims: number, batch: readonly number[]): Float32Array {
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

/** Clips values at the 1st and 99th percentile and standardises them to mean 0 and variance 1. */
function computeStandardScores(values: Float64Array): Float64Array {
  const sorted = values.toSorted();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))];
  const [low, high] = [at(0.01), at(0.99)];
  const clipped = values.map((value) => Math.min(high, Math.max(low, value)));
  const mean = clipped.reduce((sum, value) => sum + value, 0) / clipped.length;
  const variance = clipped.reduce((sum, value) => sum + (value - mean) ** 2, 0) / clipped.length;
  const scale = variance > 0 ? 1 / Math.sqrt(variance) : 0;
  return clipped.map((value) => (value - mean) * scale);
}

function computeMeans(values: Float64Array, owner: Int32Array, owners: number): Float64Array {
  const sums = new Float64Array(owners);
  const counts = new Float64Array(owners);
  for (const [i, value] of values.entries()) {
    sums[owner[i]] += value;
    counts[owner[i]]++;
  }
  return sums.map((sum, i) => sum / counts[i]);
}

/** Tabulates the digamma function at whole numbers up to `maximum`: harmonic number minus Euler's constant. */
function digammaTable(maximum: number): Float64Array {
  const table = new Float64Array(maximum + 1);
  table[0] = Number.NEGATIVE_INFINITY;
  let sum = -0.5772156649015329;
  for (let n = 1; n <= maximum; n++) {
    table[n] = sum;
    sum += 1 / n;
  }
  return table;
}
