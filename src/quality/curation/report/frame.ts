import { spread } from '#core';
import type { CurationEpisode } from '../curation-episode.ts';
import { kCentre } from '../measures/k-centre.ts';
import { principal } from '../measures/principal.ts';
import { pointsOf, type Vectors, vectorsOf } from '../measures/vectors.ts';

/** What both sides of a comparison are counted by, taken from the set as it came. */
export interface Frame {
  /** Edges of the bins of durations in seconds, ascending; one more than there are bins. Empty: none has a duration. */
  readonly duration_edges_s: readonly number[];
  /** By episode: regions of the action space that it visits. */
  readonly regions: ReadonlyMap<string, ReadonlySet<number>>;
  /** By episode: which of the looks its pictures have. */
  readonly scenes: ReadonlyMap<string, number>;
}

const mostRegions = 64;
const mostScenes = 8;
/** Rows of an episode that are placed in regions, and rows of the set that regions are made from. */
const placedRows = 8;
const seedRows = 4000;

/** Bins, regions and looks of a set. */
export function createFrame(episodes: readonly CurationEpisode[]): Frame {
  return {
    duration_edges_s: durationEdges(episodes),
    regions: regionsOf(episodes),
    scenes: scenesOf(episodes),
  };
}

/** Tenths of the durations, so that every bin of the set holds about as many. */
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

/** Regions are the cells around 64 sampled actions that are as far apart as they can be (k-centre). */
function regionsOf(episodes: readonly CurationEpisode[]): Map<string, ReadonlySet<number>> {
  const regions = new Map<string, ReadonlySet<number>>();
  const { points, ids: owners, dims } = actionRows(episodes);
  if (owners.length === 0) return regions;
  const seeds = spread([...owners.keys()], seedRows);
  const chosen = new Float32Array(seeds.length * dims);
  for (const [i, row] of seeds.entries()) chosen.set(points.subarray(row * dims, (row + 1) * dims), i * dims);
  const centres = kCentre(
    { points: chosen, dims, ids: seeds.map(String) },
    Math.min(mostRegions, seeds.length),
    [],
  ).chosen;
  const visited = new Map<string, Set<number>>();
  for (const [row, id] of owners.entries()) {
    const own = visited.get(id) ?? new Set();
    visited.set(id, own.add(nearestOf(points, row, chosen, centres, dims)));
  }
  return visited;
}

function nearestOf(
  points: Float32Array,
  row: number,
  chosen: Float32Array,
  centres: readonly number[],
  dims: number,
): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [region, centre] of centres.entries()) {
    let sum = 0;
    for (let d = 0; d < dims && sum < least; d++)
      sum += (points[row * dims + d] - chosen[centre * dims + d]) ** 2;
    if (sum < least) [best, least] = [region, sum];
  }
  return best;
}

/** Sampled actions of the episodes whose layout most have, standardised; a row's id is its episode's. */
function actionRows(episodes: readonly CurationEpisode[]): Vectors {
  const rows = episodes.flatMap(({ id, sample }) => {
    if (sample === undefined || sample.action_dims === 0) return [];
    const { action_dims: dims, actions, layout } = sample;
    return spread([...Array(sample.rows).keys()], placedRows)
      .map((row) => ({ id, layout, vector: actions.subarray(row * dims, (row + 1) * dims) }))
      .filter(({ vector }) => vector.every(Number.isFinite));
  });
  return pointsOf(rows, new Map(), '');
}

function scenesOf(episodes: readonly CurationEpisode[]): Map<string, number> {
  const vectors = principal(vectorsOf(episodes, 'picture'));
  const scenes = new Map<string, number>();
  if (vectors.ids.length < 2) return scenes;
  const { chosen, nearest } = kCentre(vectors, Math.min(mostScenes, vectors.ids.length), []);
  const place = new Map(chosen.map((row, scene) => [row, scene]));
  for (const [i, id] of vectors.ids.entries()) scenes.set(id, place.get(nearest[i]) ?? 0);
  return scenes;
}
