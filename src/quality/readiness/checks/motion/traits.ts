import type { ComparedNotes } from '../../check.ts';
import type { MotionAspect } from './aspects.ts';

/** Flag and stream of one aspect, as the comparison of motions across episodes names it. */
export const traitOf = ({ flag, stream }: MotionAspect): string => `${flag} ${stream}`;

/** Traits of this episode that its set shares: how the robot is driven or simulated, and no fault of the episode. */
export function usualTraits({ usual_motion }: ComparedNotes): ReadonlySet<string> {
  const traits = usual_motion?.traits;
  return new Set(Array.isArray(traits) ? traits.map(String) : []);
}
