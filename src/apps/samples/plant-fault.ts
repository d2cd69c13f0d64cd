import { seededRandom } from '#core';
import type { Episode } from '#core/episode';
import type { FaultSize } from './faults/fault.ts';
import { faults } from './faults/registry.ts';
import type { PlantedTruth } from './truth.ts';

/** Fault and size by episode index. */
export type FaultPlan = Readonly<Record<number, readonly [fault: string, size: FaultSize]>>;

export interface PlantedEpisode {
  readonly episode: Episode;
  readonly planted: readonly PlantedTruth[];
}

/**
 * Plants the fault that the plan has for this episode, and returns what was planted where. The episode is unchanged
 * if the plan has none for it, for video faults (planted when videos are written), and if it cannot carry the fault.
 * `peers`: all clean episodes of the set, for faults that mix episodes.
 */
export function plantFault(
  clean: Episode,
  plan: FaultPlan,
  seed: number,
  peers: readonly Episode[],
): PlantedEpisode {
  const entry = plan[clean.index];
  const fault = entry === undefined ? undefined : faults.get(entry[0]);
  if (entry === undefined || fault?.plants !== 'episode') return { episode: clean, planted: [] };
  const result = fault.plant(clean, entry[1], seededRandom(seed * 103 + clean.index), peers);
  if (result === null) return { episode: clean, planted: [] };
  return { episode: result.episode, planted: [{ fault: entry[0], size: entry[1], marks: result.marks }] };
}
