import type { Episode, Stream } from '#episode';

const gripperWords = /grip|claw|jaw|pincher|suction|vacuum/i;
/** Hands are opened, closed and held against things: smoothness and limits say nothing of them. */
const handWords = /grip|claw|jaw|pincher|suction|vacuum|finger|thumb|pinky|knuckle|hand(?!le)/i;

/** Dimensions that open and close a gripper: those the reader vouches for, or those so named. */
export function gripperDimensions(episode: Episode, stream: Stream): readonly number[] {
  const told = episode.grippers.filter((gripper) => gripper.stream === stream.id);
  return told.length > 0 ? told.map((gripper) => gripper.dimension) : named(stream, gripperWords);
}

/** Grippers and the joints of dexterous hands. */
export function handDimensions(episode: Episode, stream: Stream): ReadonlySet<number> {
  return new Set([...gripperDimensions(episode, stream), ...named(stream, handWords)]);
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
