import type { Episode, Stream } from '#core/episode';
import { isSwitch } from './dimension-leaps.ts';
import type { StreamFeatures } from './stream-features.ts';

const gripperPattern = /grip|claw|jaw|pincher|suction|vacuum/i;
/**
 * Names of hand dimensions; they are exempt from smoothness and limits, since hands press against objects.
 */
const handPattern = /grip|claw|jaw|pincher|suction|vacuum|finger|thumb|pinky|knuckle|hand(?!le)/i;

/**
 * Returns the gripper dimensions of a stream: those that the reader declares, otherwise those with a gripper
 * name.
 */
export function findGripperDimensions(episode: Pick<Episode, 'grippers'>, stream: Stream): readonly number[] {
  const declared = episode.grippers.filter((gripper) => gripper.stream === stream.id);
  return declared.length > 0
    ? declared.map((gripper) => gripper.dimension)
    : findNamedDimensions(stream, gripperPattern);
}

/**
 * Returns the dimensions that are exempt from smoothness checks: grippers, joints of dexterous hands, and
 * switches.
 */
export function findExemptDimensions(
  episode: Episode,
  stream: Stream,
  features: StreamFeatures,
): ReadonlySet<number> {
  const exempt = new Set(findGripperDimensions(episode, stream));
  for (const d of findNamedDimensions(stream, handPattern)) exempt.add(d);
  for (let d = 0; d < features.dims; d++) if (isSwitch(features, d)) exempt.add(d);
  return exempt;
}

/** Cache of matches by name list; episodes of one recording share their lists. */
const matchCache = new WeakMap<readonly string[], Map<RegExp, readonly number[]>>();

function findNamedDimensions({ names }: Stream, words: RegExp): readonly number[] {
  if (names === null) return [];
  let byWords = matchCache.get(names);
  if (byWords === undefined) {
    byWords = new Map();
    matchCache.set(names, byWords);
  }
  let found = byWords.get(words);
  if (found === undefined) {
    found = matchNames(names, words);
    byWords.set(words, found);
  }
  return found;
}

function matchNames(names: readonly string[], words: RegExp): number[] {
  const found: number[] = [];
  names.forEach((name, d) => {
    if (words.test(name)) found.push(d);
  });
  return found;
}
