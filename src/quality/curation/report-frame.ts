import { sampleEvenly } from '#core';
import type { CurationEpisode } from './curation-episode.ts';
import { kCentre } from './measures/k-centre.ts';
import { projectToPrincipal } from './measures/principal.ts';
import { computePoints, createPointSet, type Vectors } from './measures/vectors.ts';

/** Bins for comparing a set before and after curation, computed from the original set. */
export interface Frame {
  /** Ascending edges of the duration bins in seconds, one more than bins; empty if no episode has a duration. */
  readonly duration_edges_s: readonly number[];
  /** Regions of the action space that each episode visits, by episode id. */
  readonly regions: ReadonlyMap<string, ReadonlySet<number>>;
  /** Visual cluster of each episode, by episode id. */
  readonly scenes: ReadonlyMap<string, number>;
}

const maxRegions = 64;
const maxScenes = 8;
/** Rows per episode that are assigned to regions, and rows of the set that the regions are computed from. */
const maxRowsPerEpisode = 8;
const maxSeedRows = 4000;

/** Computes duration bins, action regions and visual clusters of a set. */
export function createFrame(episodes: readonly CurationEpisode[]): Frame {
  return {
    duration_edges_s: durationEdges(episodes),
    regions: computeRegions(episodes),
    scenes: computeScenes(episodes),
  };
}

/** Returns deciles of the durations, so that the bins hold about equally many episodes; equal edges are merged. */
function durationEdges(episodes: readonly CurationEpisode[]): number[] {
  const sorted = episodes
    .map(({ duration_s }) => duration_s)
    .filter((duration) => duration > 0)
    .sort((a, b) => a - b);
  if (sorted.length === 0) return [];
  const edges = Array.from({ length: 11 }, (_, i) => sorted[Math.round((i * (sorted.length - 1)) / 10)]);
  const distinct = [...new Set(edges)];
  return distinct.length === 1 ? [distinct[0], distinct[0]] : distinct;
}

/**
 * Divides the action space into up to 64 cells around distant sampled actions (k-centre); returns the cells each
 * episode visits.
 */
function computeRegions(episodes: readonly CurationEpisode[]): Map<string, ReadonlySet<number>> {
  const regions = new Map<string, ReadonlySet<number>>();
  const { points, ids: owners, dims } = actionRows(episodes);
  if (owners.length === 0) return regions;
  const seeds = sampleEvenly([...owners.keys()], maxSeedRows);
  const chosen = new Float32Array(seeds.length * dims);
  for (const [i, row] of seeds.entries()) chosen.set(points.subarray(row * dims, (row + 1) * dims), i * dims);
  const centres = kCentre(
    { points: chosen, dims, ids: seeds.map(String) },
    Math.min(maxRegions, seeds.length),
    [],
  ).chosen;
  const visited = new Map<string, Set<number>>();
  for (const [row, id] of owners.entries()) {
    const episodeRegions = visited.get(id) ?? new Set();
    visited.set(id, episodeRegions.add(nearestCentre(points, row, chosen, centres, dims)));
  }
  return visited;
}

function nearestCentre(
  points: Float32Array,
  row: number,
  chosen: Float32Array,
  centres: readonly number[],
  dims: number,
): number {
  let best = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (const [region, centre] of centres.entries()) {
    let sum = 0;
    for (let d = 0; d < dims && sum < smallest; d++)
      sum += (points[row * dims + d] - chosen[centre * dims + d]) ** 2;
    if (sum < smallest) [best, smallest] = [region, sum];
  }
  return best;
}

/** Returns standardised sampled actions of the most frequent layout; the id of each row is its episode's. */
function actionRows(episodes: readonly CurationEpisode[]): Vectors {
  const rows = episodes.flatMap(({ id, sample }) => {
    if (sample === undefined || sample.action_dims === 0) return [];
    const { action_dims: dims, actions, layout } = sample;
    return sampleEvenly([...Array(sample.rows).keys()], maxRowsPerEpisode)
      .map((row) => ({ id, layout, vector: actions.subarray(row * dims, (row + 1) * dims) }))
      .filter(({ vector }) => vector.every(Number.isFinite));
  });
  return createPointSet(rows, new Map(), '');
}

function computeScenes(episodes: readonly CurationEpisode[]): Map<string, number> {
  const vectors = projectToPrincipal(computePoints(episodes, 'picture'));
  const scenes = new Map<string, number>();
  if (vectors.ids.length < 2) return scenes;
  const { chosen, nearest } = kCentre(vectors, Math.min(maxScenes, vectors.ids.length), []);
  const sceneOfRow = new Map(chosen.map((row, scene) => [row, scene]));
  for (const [i, id] of vectors.ids.entries()) scenes.set(id, sceneOfRow.get(nearest[i]) ?? 0);
  return scenes;
}
