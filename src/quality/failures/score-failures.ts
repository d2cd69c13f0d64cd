import { significant, spread } from '#core';
import { type CurationEpisode, nearestRows } from '#quality/curation';
import type { DescribedFailure } from './describe-failure.ts';
import { textVector } from './describe-failure.ts';

/** What an episode is compared by. */
export type BaselineEpisode = Pick<
  CurationEpisode,
  'id' | 'decision' | 'outcome' | 'task' | 'motion' | 'layouts'
>;

export interface ScoringOptions {
  /** k: nearest episodes that are looked at. */
  readonly neighbours: number;
  /** A novelty of this or more is out of the data. */
  readonly novel_from: number;
}

interface Near {
  readonly id: string;
  /** Euclidean, of vectors of length 1: 0 to 2. */
  readonly distance: number;
}

interface ScoredFailure {
  readonly id: string;
  readonly verdict: 'near' | 'novel' | 'not_assessable';
  readonly reason: string | null;
  readonly by: 'motion' | 'words' | null;
  /** To the k-th nearest of the baseline. */
  readonly distance: number | null;
  /** Share of the baseline whose own k-th nearest other is nearer than that. */
  readonly novelty: number | null;
  readonly nearest: readonly Near[];
}

export interface ScoredFailures {
  readonly baseline: { readonly episodes: number; readonly motion: number; readonly words: number };
  /** In the order they came. */
  readonly failures: readonly ScoredFailure[];
  /** The nearest episodes of near failures, each once at its least distance, nearest first. */
  readonly gaps: readonly Near[];
}

/** Fewer episodes than these say nothing of how far apart episodes are. */
const fewest = 10;
/** Episodes whose own distances a quantile is taken over; evenly spread where there are more. */
const mostCompared = 500;

/**
 * Holds failures against the baseline: the episodes that are neither rejected nor failed, nor hold one of the failures.
 * With d(x) the distance of x to its k-th nearest other episode of the baseline, a failure f has the novelty
 * |{b : d(b) < d(f)}| / |{b}|.
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
  const sets = new Map<string, Compared>();
  const scored = failures.map((failure): ScoredFailure => {
    const { id, by, vector, layout, reason } = failure;
    if (by === null || vector === null)
      return notAssessable(id, null, reason ?? 'nothing of it is described');
    const key = `${by} ${layout}`;
    const set = sets.get(key) ?? new Compared(pointsOf(baseline, by, layout), options.neighbours);
    sets.set(key, set);
    if (set.count < fewest)
      return notAssessable(
        id,
        by,
        `${set.count} episodes can be compared with it by ${by}${layout === '' ? '' : ` (${layout})`}; ${fewest} are the least`,
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
  return { baseline: { episodes: baseline.length, ...counts }, failures: scored, gaps: gapsOf(scored) };
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

function gapsOf(failures: readonly ScoredFailure[]): Near[] {
  const least = new Map<string, number>();
  for (const { verdict, nearest } of failures)
    if (verdict === 'near')
      for (const { id, distance } of nearest)
        least.set(id, Math.min(distance, least.get(id) ?? Number.POSITIVE_INFINITY));
  return [...least]
    .map(([id, distance]) => ({ id, distance }))
    .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1));
}

interface Point {
  readonly id: string;
  readonly vector: Float32Array;
}

/** In the order of ids. */
function pointsOf(baseline: readonly BaselineEpisode[], by: 'motion' | 'words', layout: string): Point[] {
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

/** Episodes of one space, and how far from its k-th nearest each is. */
class Compared {
  readonly #points: readonly Point[];
  readonly #flat: Float32Array;
  readonly #dims: number;
  readonly #rows: readonly number[];
  readonly #k: number;
  #own: readonly number[] | null = null;

  constructor(points: readonly Point[], neighbours: number) {
    this.#points = points;
    this.#dims = points[0]?.vector.length ?? 0;
    // One row more than there are points, for the failure at hand.
    this.#flat = new Float32Array((points.length + 1) * this.#dims);
    for (const [i, { vector }] of points.entries()) this.#flat.set(vector, i * this.#dims);
    this.#rows = [...points.keys()];
    this.#k = Math.min(neighbours, points.length - 1);
  }

  get count(): number {
    return this.#points.length;
  }

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

  /** Share of the episodes that are nearer than that to their own k-th nearest. */
  shareBelow(distance: number): number {
    this.#own ??= spread(this.#rows, mostCompared).map((row) => {
      const found = this.#nearest(row);
      return found[found.length - 1].distance;
    });
    return this.#own.filter((own) => own < distance).length / this.#own.length;
  }

  #nearest(row: number) {
    return nearestRows({ points: this.#flat, dims: this.#dims }, row, this.#rows, this.#k);
  }
}
