import type { Stream } from '#core/episode';
import type { LaneEpisode } from '../lane.ts';

export type Grippers = LaneEpisode['facts']['grippers'];

const gripperWords = /grip|claw|jaw|pincher|suction|vacuum/i;

/** Episodes of one recording share their lists of names, so each list is searched once. */
const searched = new WeakMap<readonly string[], readonly number[]>();

/** Dimensions that open and close a gripper: those the recording's reader vouches for, else those so named. */
export function gripperDimensions(grippers: Grippers, { id, names, series }: Stream): readonly number[] {
  const told = grippers.filter(({ stream }) => stream === id);
  if (told.length > 0) return told.map(({ dimension }) => dimension);
  if (names === null || series === undefined) return [];
  let found = searched.get(names);
  if (found === undefined) {
    found = names.flatMap((name, dimension) => (gripperWords.test(name) ? [dimension] : []));
    searched.set(names, found);
  }
  return found.filter((dimension) => dimension < series.dims);
}
