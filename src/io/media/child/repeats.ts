import { spread } from '#core';
import type { RepeatFacts } from '#core/episode';

/** What is known of a frame beside the one before it. */
export interface Compared {
  readonly index: number;
  readonly time_s: number;
  /** Whether it equals the frame before, null where that one is not known; see `EvidenceBuilder`. */
  readonly equal: boolean | null;
  /** Largest change of the mean of a block against the frame before, in levels; NaN where that one is not known. */
  readonly motion: number;
  /** Means of blocks, in levels. */
  readonly grid: Uint8Array;
}

const runsKept = 16;
/** Places kept for people to look at. */
const placesKept = 200;

/**
 * Counts equal neighbours and their runs. `isCoded`: the frames were predicted from one another, so that what moves
 * decides which neighbours are repeats; see `motionFacts`.
 */
export function repeatFacts(
  frames: readonly Compared[],
  method: RepeatFacts['method'],
  isCoded: boolean,
): RepeatFacts {
  let compared = 0;
  let repeats = 0;
  let run = 0;
  const frozen = isCoded ? frozenPairs(frames) : new Set<number>();
  const runs: RepeatFacts['runs'][number][] = [];
  for (let i = 0; i <= frames.length; i++) {
    const equal = frozen.has(i) || (frames[i]?.equal ?? null);
    if (equal !== null) compared++;
    if (equal === true) {
      repeats++;
      run++;
      continue;
    }
    if (run > 0)
      runs.push({
        from_s: frames[i - 1 - run].time_s,
        to_s: frames[i - 1].time_s,
        frames: run,
        leap: equal === null ? null : leapAfter(frames, i),
      });
    run = 0;
  }
  runs.sort((a, b) => b.frames - a.frames || a.from_s - b.from_s);
  const told = isCoded ? toldOf(frames) : null;
  const places = placesOf(frames, (i) => (told === null ? frames[i].equal : told[i]) === true);
  return {
    places: spread(places, placesKept),
    place_count: places.length,
    pairs_compared: compared,
    pairs_equal: repeats,
    runs: runs.slice(0, runsKept),
    method,
    in_motion: told === null ? null : motionFacts(told),
  };
}

/** Spans of frames that repeat the one before, each from the frame that they repeat. */
function placesOf(frames: readonly Compared[], repeats: (i: number) => boolean): [number, number][] {
  const places: [number, number][] = [];
  for (let i = 1; i < frames.length; i++) {
    if (!repeats(i)) continue;
    if (i > 1 && repeats(i - 1)) places[places.length - 1][1] = frames[i].time_s;
    else places.push([frames[i - 1].time_s, frames[i].time_s]);
  }
  return places;
}

/** Of the pairs from frame i on: the first may only be the last still picture coded again. Null at the very end. */
function leapAfter(frames: readonly Compared[], i: number): number | null {
  return i + reach >= frames.length ? null : Math.max(frames[i].motion, strongest(frames, i, 1));
}

/** Levels by which the mean of a block must change for the picture to be moving. */
const leastMotion = 4;
/** Pairs looked at on either side of one: pictures that come at a quarter of the rate are still found. */
const reach = 3;
/**
 * A pair that changes by at most this share of the motion around it, and by no more than coding a picture twice does,
 * is a repeat. Set on simulated, generated and filmed clips, each picture written once, twice and three times, coded by
 * SVT-AV1 with a key frame every two frames, x264, x265 and libvpx.
 */
const stillShare = 0.12;
const codingNoise = 3.5;
/** A longer span without motion is a stall where the picture leaps behind it; from `frozen_s` on it is a freeze. */
const leastLeap = 8;
const frozen_s = 0.4;

/**
 * Repeats among the pairs that have motion shortly before and after. An encoder makes neighbours equal where little
 * moves, and codes equal pictures differently beside a key frame; neither happens to what lies within motion.
 */
function motionFacts(told: readonly (boolean | null)[]): NonNullable<RepeatFacts['in_motion']> {
  const judged = told.filter((one) => one !== null);
  return {
    pairs: judged.length,
    equal: judged.filter((one) => one).length,
    every: usualDistance(told),
  };
}

/** For every frame whether it repeats the one before; null: too little moves around, or nothing is known of it. */
function toldOf(frames: readonly Compared[]): (boolean | null)[] {
  const told = frames.map(({ motion }) => (motion >= leastMotion ? false : null) as boolean | null);
  for (let from = 0; from < frames.length; from++) {
    if (!isQuiet(frames[from])) continue;
    let to = from;
    while (follows(frames, to) && isQuiet(frames[to + 1])) to++;
    for (let i = from; i <= to; i++) told[i] = isRepeat(frames, i, from, to);
    from = to;
  }
  return told;
}

const isQuiet = ({ motion }: Compared): boolean => motion <= codingNoise;
const follows = (frames: readonly Compared[], i: number): boolean =>
  frames[i + 1]?.index === frames[i].index + 1;

/** A pair of the span from..to without motion. */
function isRepeat(frames: readonly Compared[], i: number, from: number, to: number): boolean | null {
  const around =
    to - from < reach
      ? Math.min(strongest(frames, i, -1), strongest(frames, i, 1))
      : leapBehind(frames, from, to);
  if (around < leastMotion) return null;
  return frames[i].motion <= stillShare * around;
}

/** Of the pairs beside frame i in one direction, as far as neighbours were decoded. */
function strongest(frames: readonly Compared[], i: number, direction: 1 | -1): number {
  let most = 0;
  for (let k = 1; k <= reach; k++) {
    const at = i + direction * k;
    if (frames[at] === undefined || frames[at].index !== frames[i].index + direction * k) break;
    if (frames[at].motion > most) most = frames[at].motion;
  }
  return most;
}

/** What was missed during a stall between two motions; 0 where the span is none. */
function leapBehind(frames: readonly Compared[], from: number, to: number): number {
  const isStall =
    from > 0 &&
    frames[from - 1].motion >= leastMotion &&
    follows(frames, to) &&
    frames[to + 1].motion >= leastLeap &&
    frames[to].time_s - frames[from - 1].time_s < frozen_s;
  return isStall ? frames[to + 1].motion : 0;
}

/** Of the motion behind it, what a leap is at least: a scene that starts to move does not. */
const leapTimes = 2;

/**
 * Pairs of spans of `frozen_s` and more that stay one picture, however the encoder refines it, between motion and
 * a leap over all that was missed.
 */
function frozenPairs(frames: readonly Compared[]): Set<number> {
  const frozen = new Set<number>();
  for (let to = 1; to < frames.length - 1; to++) {
    const leap = frames[to + 1].motion;
    if (!follows(frames, to) || !(leap >= leastLeap) || !isQuiet(frames[to])) continue;
    if (leap < leapTimes * strongest(frames, to + 1, 1)) continue;
    let from = to;
    while (from > 1 && follows(frames, from - 1) && isQuiet(frames[from - 1]) && isSame(frames, from - 2, to))
      from--;
    const isLong = frames[to].time_s - frames[from].time_s >= frozen_s;
    if (isLong && strongest(frames, from, -1) >= leastMotion) for (let i = from; i <= to; i++) frozen.add(i);
  }
  return frozen;
}

/** Whether two frames show one picture: small changes from each to the next do not add up. */
function isSame(frames: readonly Compared[], a: number, b: number): boolean {
  const before = frames[a].grid;
  return frames[b].grid.every((level, i) => Math.abs(level - before[i]) <= codingNoise);
}

/** Looser than what tells a repeat: only a reason to look at more frames. */
const doubtfulShare = 0.3;
const doubtfulPairs = 0.6;

/** Whether most pairs between two others, few as they may be, change far less than these. */
export function mayRepeat(frames: readonly Compared[]): boolean {
  let between = 0;
  let weak = 0;
  frames.forEach(({ motion }, i) => {
    const around = Math.min(strongest(frames, i, -1), strongest(frames, i, 1));
    if (Number.isNaN(motion) || around < leastMotion) return;
    between++;
    if (motion <= doubtfulShare * around) weak++;
  });
  return weak >= 2 && weak >= doubtfulPairs * between;
}

/** Fewest distances that show a rhythm, and the share of them, some cut in two by a repeat not told, that is the same. */
const fewestDistances = 5;
const sameDistances = 0.5;

/** Frames from one new picture to the next, where nearly all are so far apart; null where there is no such rhythm. */
function usualDistance(told: readonly (boolean | null)[]): number | null {
  const counts = new Map<number, number>();
  let all = 0;
  let since: number | null = null;
  for (const repeat of told) {
    if (repeat === true) {
      if (since !== null) since++;
      continue;
    }
    if (repeat === false && since !== null) {
      counts.set(since, (counts.get(since) ?? 0) + 1);
      all++;
    }
    since = repeat === false ? 1 : null;
  }
  for (const [distance, count] of counts)
    if (all >= fewestDistances && count > sameDistances * all) return distance;
  return null;
}
