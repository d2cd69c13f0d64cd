import { z } from 'zod';
import type { CurationEpisode } from '../curation-episode.ts';
import type { Measure, Vectors } from '../measures/vectors.ts';
import { measures } from '../measures/vectors.ts';

/** How much stays, for strategies that choose among sound episodes. */
export const keepShare = (share: number) =>
  z.number().min(0).max(1).default(share).describe('share of the assessable episodes that stays, 0 to 1');

export const measureParameter = (measure: Measure) =>
  z.enum(measures).default(measure).describe('what distances are taken over');

/** How many of so many stay: never none of some. */
export function countOf(share: number, all: number): number {
  return all === 0 ? 0 : Math.max(1, Math.round(share * all));
}

/** A quality that episodes are grouped by; null: it is not known. */
export const groupings = ['task', 'robot', 'operator', 'outcome'] as const;
export type Grouping = (typeof groupings)[number];

export function groupOf(episode: CurationEpisode, by: Grouping): string | null {
  if (by === 'outcome') return episode.outcome === 'unknown' ? null : episode.outcome;
  return episode[by];
}

/** Below this many points there is no spread to speak of. */
const fewestPoints = 4;

/** Adds all of them as missing where they are too few to be compared. */
export function tooFew({ ids, missing }: Vectors): Map<string, string> | null {
  if (ids.length >= fewestPoints) return null;
  const all = new Map(missing);
  for (const id of ids) all.set(id, `${ids.length} episodes with this descriptor are too few to compare`);
  return all;
}
