import { sampleEvenly, significant } from '#core';
import { type CurationEpisode, nearestRows } from '#quality/curation';
import { type DescribedFailure, textVector } from './describe-failure.ts';

/** Facts about an episode that failures are compared with. */
export type BaselineEpisode = Pick<
  CurationEpisode,
  'id' | 'decision' | 'outcome' | 'task' | 'motion' | 'layouts'
>;

/** Options of `scoreFailures`. */
export interface ScoringOptions {
  /** k: number of nearest episodes considered. */
  readonly neighbours: number;
  /** Novelty (0 to 1) from which a failure is outside the data. */
  readonly novel_from: number;
}

interface Near {
  readonly id: string;
  /** Euclidean distance of unit vectors, 0 to 2. */
  readonly distance: number;
}

interface ScoredFailure {
  readonly id: string;
  readonly verdict: 'near' | 'novel' | 'not_assessable';
  readonly reason: string | null;
  readonly by: 'motion' | 'words' | null;
  /** Distance to the k-th nearest episode of the baseline. */
  readonly distance: number | null;
  /** Share of the baseline with a smaller distance to its own k-th nearest other. */
  readonly novelty: number | null;
  readonly nearest: readonly Near[];
}

/** Scored failures with the baseline and the gaps in its data. */
export interface ScoredFailures {
  readonly baseline: { readonly episodes: number; readonly motion: number; readonly words: number };
  /** Failures in input order. */
  readonly failures: readonly ScoredFailure[];
  /** Nearest episodes of `near` failures, each once with its smallest distance, nearest first. */
  readonly gaps: readonly Near[];
}

/** Baseline episodes that a comparison needs. */
const minBaseline = 10;
/** Maximum number of baseline episodes, evenly sampled, whose own distances are computed. */
const maxCompared = 500;

/**
 * Scores failures as `novel`, `near` or `not_assessable` compared with the baseline: episodes that are neither
 * rejected nor failed nor contain one of the failures. With d(x) the distance of x to its k-th nearest other episode
 * of the baseline, a failure f has the novelty |{b : d(b) < d(f)}| / |{b}|; it is `novel` from `novel_from` on. A
 * failure without a vector, or with too few comparable episodes, is `not_assessable`.
 */
export function scoreFailures(
  episodes: readonly BaselineEpisode[],
  failures: readonly DescribedFailure[],
  options: ScoringOptions,
): ScoredFailures {
  const holding = new Set(failures.flatMap(({ episode }) => episode ?? []));
  const baseline = episodes.filter(
    ({ id, decision, outcome }) => decision !== 'reject' && outcome !== 'failure' && !holding.has(id),
  );
  const sets = new Map<string, NeighbourIndex>();
  const scored = failures.map((failure): ScoredFailure => {
    const { id, by, vector, layout, reason } = failure;
    if (by === null || vector === null) return notAssessable(id, null, reason ?? 'no descriptors to compare');
    const key = `${by} ${layout}`;
    const set = sets.get(key) ?? new NeighbourIndex(collectPoints(baseline, by, layout), options.neighbours);
    sets.set(key, set);
    if (set.count < minBaseline)
      return notAssessable(
        id,
        by,
        `${set.count} episodes can be compared with it by ${by}${layout === '' ? '' : ` (${layout})`}; at least ${minBaseline} are required`,
      );
    const { distance, nearest } = set.nearestTo(vector);
    const novelty = significant(set.shareBelow(distance));
    const verdict = novelty >= options.novel_from ? 'novel' : 'near';
    return { id, verdict, reason: null, by, distance: significant(distance), novelty, nearest };
  });
  const counts = { motion: 0, words: 0 };
  for (const { motion, task } of baseline) {
    if (motion !== undefined) counts.motion++;
    if (task !== null) counts.words++;
  }
  return { baseline: { episodes: baseline.length, ...counts }, failures: scored, gaps: collectGaps(scored) };
}

const notAssessable = (id: string, by: ScoredFailure['by'], reason: string): ScoredFailure => ({
  id,
  verdict: 'not_assessable',
  reason,
  by,
  distance: null,
  novelty: null,
  nearest: [],
});

function collectGaps(failures: readonly ScoredFailure[]): Near[] {
  const smallestDistance = new Map<string, number>();
  for (const { verdict, nearest } of failures)
    if (verdict === 'near')
      for (const { id, distance } of nearest)
        smallestDistance.set(id, Math.min(distance, smallestDistance.get(id) ?? Number.POSITIVE_INFINITY));
  return [...smallestDistance]
    .map(([id, distance]) => ({ id, distance }))
    .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1));
}

interface Point {
  readonly id: string;
  readonly vector: Float32Array;
}

/** Returns the comparable episodes of the baseline with their vectors, sorted by id. */
function collectPoints(
  baseline: readonly BaselineEpisode[],
  by: 'motion' | 'words',
  layout: string,
): Point[] {
  const vectors = new Map<string, Float32Array | null>();
  const found = baseline.flatMap(({ id, task, motion, layouts }): Point[] => {
    if (by === 'motion')
      return motion !== undefined && (layouts?.motion ?? '') === layout ? [{ id, vector: motion }] : [];
    if (task === null) return [];
    const vector = vectors.has(task) ? vectors.get(task)! : textVector(task);
    vectors.set(task, vector);
    return vector === null ? [] : [{ id, vector }];
  });
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Nearest-neighbour index over the episodes of one layout. */
class NeighbourIndex {
  readonly #points: readonly Point[];
  readonly #flat: Float32Array;
  readonly #dims: number;
  readonly #rows: readonly number[];
  readonly #k: number;
  #own: readonly number[] | null = null;

  constructor(points: readonly Point[], neighbours: number) {
    this.#points = points;
    this.#dims = points[0]?.vector.length ?? 0;
    // The extra row holds the query vector.
    this.#flat = new Float32Array((points.length + 1) * this.#dims);
    for (const [i, { vector }] of points.entries()) this.#flat.set(vector, i * this.#dims);
    this.#rows = [...points.keys()];
    this.#k = Math.min(neighbours, points.length - 1);
  }

  /** Number of episodes in the index. */
  get count(): number {
    return this.#points.length;
  }

  /** Returns the k nearest episodes of a vector, and the distance of the last. */
  nearestTo(vector: Float32Array): { readonly distance: number; readonly nearest: readonly Near[] } {
    this.#flat.set(vector, this.#points.length * this.#dims);
    const found = this.#nearest(this.#points.length);
    return {
      distance: found[found.length - 1].distance,
      nearest: found.map(({ row, distance }) => ({
        id: this.#points[row].id,
        distance: significant(distance),
      })),
    };
  }

  /** Returns the share of the episodes whose distance to their own k-th nearest is below `distance`. */
  shareBelow(distance: number): number {
    this.#own ??= sampleEvenly(this.#rows, maxCompared).map((row) => {
      const found = this.#nearest(row);
      return found[found.length - 1].distance;
    });
    return this.#own.filter((own) => own < distance).length / this.#own.length;
  }

  #nearest(row: number) {
    return nearestRows({ points: this.#flat, dims: this.#dims }, row, this.#rows, this.#k);
  }
}
