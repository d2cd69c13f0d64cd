import { seededRandom } from '#core';
import type { Episode } from '#core/episode';
import type { FaultSize } from './faults/fault.ts';
import { faults } from './faults/registry.ts';
import type { PlantedTruth } from './truth.ts';

/** By episode index: which fault, how large. */
export type SpoilPlan = Readonly<Record<number, readonly [fault: string, size: FaultSize]>>;

export interface Spoiled {
  readonly episode: Episode;
  readonly planted: readonly PlantedTruth[];
}

/** Plants what the plan says of this episode; faults of pixels are left to whoever draws them. */
export function spoil(clean: Episode, plan: SpoilPlan, seed: number, peers: readonly Episode[]): Spoiled {
  const entry = plan[clean.index];
  const fault = entry === undefined ? undefined : faults.get(entry[0]);
  if (entry === undefined || fault?.plants !== 'episode') return { episode: clean, planted: [] };
  const result = fault.plant(clean, entry[1], seededRandom(seed * 103 + clean.index), peers);
  if (result === null) return { episode: clean, planted: [] };
  return { episode: result.episode, planted: [{ fault: entry[0], size: entry[1], marks: result.marks }] };
}
