import type { Random } from '#core';
import type { CurationEpisode, StateActionSample } from '../curation-episode.ts';

/** Quantities that distances between episodes can be computed from. */
export const measures = ['motion', 'picture', 'state', 'action'] as const;
/** Quantity that distances are computed from. */
export type Measure = (typeof measures)[number];

/** One point per episode, and the reasons why other episodes have none, by id. */
export interface Vectors {
  readonly ids: readonly string[];
  readonly dims: number;
  /** Row-major, `dims` per row; each dimension has mean 0 and variance 1/dims over the set. */
  readonly points: Float32Array;
  readonly missing: ReadonlyMap<string, string>;
}

/** Rows of a sample that represent its course over time. */
const courseRows = 12;

/**
 * Computes one point per episode from `measure`, standardised in each dimension; episodes without a finite vector of
 * the most frequent layout are `missing`, with the reason.
 */
export function computePoints(episodes: readonly CurationEpisode[], measure: Measure): Vectors {
  const missing = new Map<string, string>();
  const rows: Row[] = [];
  for (const episode of episodes) {
    const found = createVector(episode, measure);
    if (typeof found === 'string') missing.set(episode.id, found);
    else rows.push({ id: episode.id, ...found });
  }
  return createPointSet(rows, missing, `different ${measure} layout than most episodes`);
}

interface Row {
  readonly id: string;
  readonly layout: string;
  readonly vector: Float32Array;
}

/**
 * Standardises the vectors of the most frequent layout, and adds the ids of all other rows to `missing` (in place),
 * with `reason`.
 */
export function createPointSet(rows: readonly Row[], missing: Map<string, string>, reason: string): Vectors {
  const groups = new Map<string, Row[]>();
  for (const row of rows) if (!groups.get(row.layout)?.push(row)) groups.set(row.layout, [row]);
  const [most = [], ...others] = [...groups.values()].sort((a, b) => b.length - a.length);
  for (const { id } of others.flat()) missing.set(id, reason);
  const dims = most[0]?.vector.length ?? 0;
  const points = new Float32Array(most.length * dims);
  for (const [i, { vector }] of most.entries()) points.set(vector, i * dims);
  standardisePoints(points, dims);
  return { ids: most.map(({ id }) => id), dims, points, missing };
}

type VectorOrReason = Omit<Row, 'id'> | string;

function createVector(episode: CurationEpisode, measure: Measure): VectorOrReason {
  if (measure === 'motion' || measure === 'picture') {
    const vector = episode[measure];
    if (vector === undefined) return `no ${measure} descriptor`;
    if (!vector.every(Number.isFinite)) return `non-finite ${measure} descriptor`;
    return { layout: `${episode.layouts?.[measure] ?? ''} ${vector.length}`, vector };
  }
  const { sample } = episode;
  if (sample === undefined || sample.rows === 0) return 'no stored samples of states and actions';
  const vector = sampleCourse(sample, measure);
  return vector.every(Number.isFinite) ? { layout: sample.layout, vector } : `non-finite sampled ${measure}s`;
}

/** Returns 12 rows of a sample at equal steps, concatenated. */
function sampleCourse({ rows, ...sample }: StateActionSample, measure: 'state' | 'action'): Float32Array {
  const [values, dims] =
    measure === 'state' ? [sample.states, sample.state_dims] : [sample.actions, sample.action_dims];
  const course = new Float32Array(courseRows * dims);
  for (let i = 0; i < courseRows; i++) {
    const row = Math.round((i * (rows - 1)) / (courseRows - 1));
    course.set(values.subarray(row * dims, (row + 1) * dims), i * dims);
  }
  return course;
}

/**
 * Computes the squared Euclidean distance of rows `a` and `b`; once the sum exceeds `limit`, it stops and returns
 * that partial sum.
 */
export function squaredDistance(
  points: Float32Array,
  dims: number,
  a: number,
  b: number,
  limit = Number.POSITIVE_INFINITY,
): number {
  let sum = 0;
  let at = a * dims;
  let other = b * dims;
  const end = at + dims;
  while (at < end) {
    const stop = Math.min(end, at + 4);
    for (; at < stop; at++, other++) {
      const difference = points[at] - points[other];
      sum += difference * difference;
    }
    if (sum > limit) return sum;
  }
  return sum;
}

/** Mean and standard deviation of each dimension; a deviation of 0 means that the dimension does not vary. */
interface Scale {
  readonly means: Float64Array;
  readonly deviations: Float64Array;
}

/** Relative deviation below which variation is rounding error. */
const minDeviation = 1e-6;
/** Largest standard score, so that 32-bit floats stay finite. */
const maxStandardScore = 1e6;

/**
 * Computes mean and standard deviation per dimension of row-major values, `dims` per row; the deviation is 0 for a
 * dimension that hardly varies.
 */
export function computeScale(values: Float32Array, dims: number): Scale {
  const means = new Float64Array(dims);
  const deviations = new Float64Array(dims);
  const rows = values.length / dims;
  for (let d = 0; d < dims; d++) {
    let sum = 0;
    for (let i = d; i < values.length; i += dims) sum += values[i];
    const mean = sum / rows;
    let squares = 0;
    for (let i = d; i < values.length; i += dims) squares += (values[i] - mean) ** 2;
    const deviation = Math.sqrt(squares / rows);
    means[d] = mean;
    if (deviation > minDeviation * Math.max(1, Math.abs(mean))) deviations[d] = deviation;
  }
  return { means, deviations };
}

/**
 * Standardises row-major values in place to mean 0 and variance 1, clipped to ±`maxStandardScore`; dimensions with
 * deviation 0 become 0.
 */
export function standardise(values: Float32Array, { means, deviations }: Scale): void {
  const dims = means.length;
  for (let i = 0; i < values.length; i++) {
    const d = i % dims;
    const value = deviations[d] === 0 ? 0 : (values[i] - means[d]) / deviations[d];
    values[i] = Math.max(-maxStandardScore, Math.min(maxStandardScore, value));
  }
}

/**
 * Standardises values in place by their own scale and divides them by √dims, so that distances do not grow with
 * `dims`.
 */
export function standardisePoints(values: Float32Array, dims: number): void {
  const { means, deviations } = computeScale(values, dims);
  standardise(values, { means, deviations: deviations.map((deviation) => deviation * Math.sqrt(dims)) });
}

/** Copies the rows at these indices of row-major values into one array. */
export function rowsAt(values: Float32Array, dims: number, indices: readonly number[]): Float32Array {
  const rows = new Float32Array(indices.length * dims);
  for (const [i, index] of indices.entries())
    rows.set(values.subarray(index * dims, (index + 1) * dims), i * dims);
  return rows;
}

/**
 * Returns up to `count` rows of `among` that are nearest to `row`, excluding itself: nearest first, ties in the order
 * of `among`.
 */
export function nearestRows(
  { points, dims }: Pick<Vectors, 'points' | 'dims'>,
  row: number,
  among: readonly number[],
  count: number,
): { readonly row: number; readonly distance: number }[] {
  const distances = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const rows = new Int32Array(count).fill(-1);
  const last = count - 1;
  for (const other of among) {
    if (other === row) continue;
    const squared = squaredDistance(points, dims, row, other, distances[last]);
    if (squared >= distances[last]) continue;
    let at = last;
    for (; at > 0 && distances[at - 1] > squared; at--) {
      distances[at] = distances[at - 1];
      rows[at] = rows[at - 1];
    }
    distances[at] = squared;
    rows[at] = other;
  }
  return [...rows].flatMap((other, i) =>
    other < 0 ? [] : [{ row: other, distance: Math.sqrt(distances[i]) }],
  );
}

/** Returns a shuffled copy of the items; every order is equally likely (Fisher-Yates). */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.integer(0, i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
