import type { CurationEpisode, StateActionSample } from '../curation-episode.ts';
import { standardisePoints } from './standardise.ts';

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
 * Computes one point per episode from `measure`, standardised in each dimension. Episodes without a finite vector of
 * the most frequent layout are `missing`.
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

/** Standardises the rows of the most frequent layout; adds the other ids to `missing` (in place), with `reason`. */
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
 * Computes the squared Euclidean distance of two rows. Stops early, with a partial sum above `limit`, once it exceeds
 * `limit`.
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
