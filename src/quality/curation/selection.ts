import { z } from 'zod';
import type { CurationEpisode } from './curation-episode.ts';
import { type Measure, measures, type Vectors } from './measures/vectors.ts';

/**
 * Creates the schema of the `keep` parameter, a share from 0 to 1 with this default, for strategies that select among
 * valid episodes.
 */
export const keepShare = (share: number) =>
  z.number().min(0).max(1).default(share).describe('share of the assessable episodes to keep');

/** Creates the schema of the `by` parameter with this default: the quantity that distances are computed from. */
export const measureParameter = (measure: Measure) =>
  z.enum(measures).default(measure).describe('descriptor used for distances');

/** Returns how many of `all` episodes a share keeps, rounded; at least 1 unless `all` is 0. */
export function computeKeepCount(share: number, all: number): number {
  return all === 0 ? 0 : Math.max(1, Math.round(share * all));
}

/** Properties that episodes can be grouped by. */
export const groupings = ['task', 'robot', 'operator', 'outcome', 'object'] as const;
/** Property that episodes can be grouped by. */
export type Grouping = (typeof groupings)[number];

/**
 * Returns the value by which an episode is grouped, or `null` if it is unknown; by `object`, its object classes
 * joined with commas.
 */
export function groupOf(episode: CurationEpisode, by: Grouping): string | null {
  if (by === 'outcome') return episode.outcome === 'unknown' ? null : episode.outcome;
  if (by === 'object') return episode.objects?.length ? episode.objects.join(', ') : null;
  return episode[by];
}

/** Points that a comparison needs. */
const minPoints = 4;

/** Returns a reason for every id, `missing` included, if fewer than 4 points can be compared; `null` otherwise. */
export function reportTooFewPoints({ ids, missing }: Vectors): Map<string, string> | null {
  if (ids.length >= minPoints) return null;
  const all = new Map(missing);
  for (const id of ids) all.set(id, `too few episodes with this descriptor to compare: ${ids.length}`);
  return all;
}
