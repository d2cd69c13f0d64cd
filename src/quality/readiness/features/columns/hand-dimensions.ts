import type { Episode, Stream } from '#core/episode';
import type { StreamFeatures } from '../stream-features.ts';
import { isSwitch } from './dimension-leaps.ts';

const gripperWords = /grip|claw|jaw|pincher|suction|vacuum/i;
/** Hands are opened, closed and held against things: smoothness and limits say nothing of them. */
const handWords = /grip|claw|jaw|pincher|suction|vacuum|finger|thumb|pinky|knuckle|hand(?!le)/i;

/** Dimensions that open and close a gripper: those the reader vouches for, or those so named. */
export function gripperDimensions(episode: Pick<Episode, 'grippers'>, stream: Stream): readonly number[] {
  const told = episode.grippers.filter((gripper) => gripper.stream === stream.id);
  return told.length > 0 ? told.map((gripper) => gripper.dimension) : named(stream, gripperWords);
}

/** Dimensions exempt from judgements of smoothness: grippers, the joints of dexterous hands, and switches. */
export function exemptDimensions(
  episode: Episode,
  stream: Stream,
  features: StreamFeatures,
): ReadonlySet<number> {
  const exempt = new Set(gripperDimensions(episode, stream));
  for (const d of named(stream, handWords)) exempt.add(d);
  for (let d = 0; d < features.dims; d++) if (isSwitch(features, d)) exempt.add(d);
  return exempt;
}

/** Episodes of one recording share their lists of names, so each list is searched once. */
const searched = new WeakMap<readonly string[], Map<RegExp, readonly number[]>>();

function named({ names }: Stream, words: RegExp): readonly number[] {
  if (names === null) return [];
  let byWords = searched.get(names);
  if (byWords === undefined) {
    byWords = new Map();
    searched.set(names, byWords);
  }
  let found = byWords.get(words);
  if (found === undefined) {
    found = search(names, words);
    byWords.set(words, found);
  }
  return found;
}

function search(names: readonly string[], words: RegExp): number[] {
  const found: number[] = [];
  names.forEach((name, d) => {
    if (words.test(name)) found.push(d);
  });
  return found;
}
