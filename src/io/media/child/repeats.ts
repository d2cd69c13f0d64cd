import { sampleEvenly } from '#core';
import type { RepeatFacts } from '#core/episode';

/** A frame compared with the previous one. */
export interface ComparedFrame {
  readonly index: number;
  readonly time_s: number;
  /** Whether it equals the previous frame; null if that was not decoded. See `EvidenceBuilder`. */
  readonly equal: boolean | null;
  /** Largest change of a block mean since the previous frame, in levels; NaN if that was not decoded. */
  readonly motion: number;
  /** Block means in levels. */
  readonly grid: Uint8Array;
}

const maxRuns = 16;
/** Maximum number of repeated spans listed for display. */
const maxSpans = 200;

/**
 * Counts equal consecutive frames and their runs. `isCoded`: frames were predicted from each other (video), so that
 * repeats are judged by the motion around them; see `motionFacts`.
 */
export function repeatFacts(
  frames: readonly ComparedFrame[],
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
        leap: equal === null ? null : jumpAfter(frames, i),
      });
    run = 0;
  }
  runs.sort((a, b) => b.frames - a.frames || a.from_s - b.from_s);
  const classified = isCoded ? classifyRepeats(frames) : null;
  const spans = repeatSpans(frames, (i) => (classified === null ? frames[i].equal : classified[i]) === true);
  return {
    places: sampleEvenly(spans, maxSpans),
    place_count: spans.length,
    pairs_compared: compared,
    pairs_equal: repeats,
    runs: runs.slice(0, maxRuns),
    method,
    in_motion: classified === null ? null : motionFacts(classified),
  };
}

/** Returns the time spans of repeated frames, each starting at the frame that is repeated. */
function repeatSpans(frames: readonly ComparedFrame[], repeats: (i: number) => boolean): [number, number][] {
  const spans: [number, number][] = [];
  for (let i = 1; i < frames.length; i++) {
    if (!repeats(i)) continue;
    if (i > 1 && repeats(i - 1)) spans[spans.length - 1][1] = frames[i].time_s;
    else spans.push([frames[i - 1].time_s, frames[i].time_s]);
  }
  return spans;
}

/**
 * Returns the largest motion from frame i on, because the first pair may be the last still picture coded again. Null at
 * the very end.
 */
function jumpAfter(frames: readonly ComparedFrame[], i: number): number | null {
  return i + neighbourPairs >= frames.length
    ? null
    : Math.max(frames[i].motion, maxMotionBeside(frames, i, 1));
}

/** Change of a block mean in levels from which a picture is moving. */
const minMotion = 4;
/** Pairs examined on either side, enough to detect cameras that deliver a quarter of their rate. */
const neighbourPairs = 3;
/**
 * A pair is a repeat if it changes by at most this fraction of the motion around it, and by at most the noise of coding
 * a picture twice. Set on simulated, generated and filmed clips with each picture written once, twice and three times,
 * coded by SVT-AV1 with a key frame every two frames, x264, x265 and libvpx.
 */
const maxStillFraction = 0.12;
const maxCodingNoise = 3.5;
/**
 * A longer span without motion is a stall if the picture jumps afterwards by at least this much; from `minFreeze_s` on
 * it is a freeze.
 */
const minJump = 8;
const minFreeze_s = 0.4;

/**
 * Counts repeats among pairs with motion shortly before and after. Encoders make consecutive frames equal where little
 * moves, and code equal pictures differently beside key frames; neither happens within motion.
 */
function motionFacts(classified: readonly (boolean | null)[]): NonNullable<RepeatFacts['in_motion']> {
  const judged = classified.filter((one) => one !== null);
  return {
    pairs: judged.length,
    equal: judged.filter((one) => one).length,
    every: commonDistance(classified),
  };
}

/** Returns for every frame whether it repeats the previous one; null if too little moves around it or it is unknown. */
function classifyRepeats(frames: readonly ComparedFrame[]): (boolean | null)[] {
  const classified = frames.map(({ motion }) => (motion >= minMotion ? false : null) as boolean | null);
  for (let from = 0; from < frames.length; from++) {
    if (!isStill(frames[from])) continue;
    let to = from;
    while (isNextDecoded(frames, to) && isStill(frames[to + 1])) to++;
    for (let i = from; i <= to; i++) classified[i] = isRepeat(frames, i, from, to);
    from = to;
  }
  return classified;
}

const isStill = ({ motion }: ComparedFrame): boolean => motion <= maxCodingNoise;
const isNextDecoded = (frames: readonly ComparedFrame[], i: number): boolean =>
  frames[i + 1]?.index === frames[i].index + 1;

/** Classifies pair i of the still span from..to. */
function isRepeat(frames: readonly ComparedFrame[], i: number, from: number, to: number): boolean | null {
  const around =
    to - from < neighbourPairs
      ? Math.min(maxMotionBeside(frames, i, -1), maxMotionBeside(frames, i, 1))
      : jumpAfterStall(frames, from, to);
  if (around < minMotion) return null;
  return frames[i].motion <= maxStillFraction * around;
}

/**
 * Returns the largest motion of up to 3 pairs beside frame i in one direction, as far as consecutive frames were
 * decoded.
 */
function maxMotionBeside(frames: readonly ComparedFrame[], i: number, direction: 1 | -1): number {
  let largest = 0;
  for (let k = 1; k <= neighbourPairs; k++) {
    const at = i + direction * k;
    if (frames[at] === undefined || frames[at].index !== frames[i].index + direction * k) break;
    if (frames[at].motion > largest) largest = frames[at].motion;
  }
  return largest;
}

/** Returns the motion of the jump after a stall between two motions; 0 if the span is not a stall. */
function jumpAfterStall(frames: readonly ComparedFrame[], from: number, to: number): number {
  const isStall =
    from > 0 &&
    frames[from - 1].motion >= minMotion &&
    isNextDecoded(frames, to) &&
    frames[to + 1].motion >= minJump &&
    frames[to].time_s - frames[from - 1].time_s < minFreeze_s;
  return isStall ? frames[to + 1].motion : 0;
}

/** Minimum ratio of a jump to the motion after it; a scene that starts to move has no such jump. */
const minJumpRatio = 2;

/**
 * Returns the pairs of frozen spans: at least `minFreeze_s` long, showing one picture however the encoder refines it,
 * with motion before and a jump after them.
 */
function frozenPairs(frames: readonly ComparedFrame[]): Set<number> {
  const frozen = new Set<number>();
  for (let to = 1; to < frames.length - 1; to++) {
    const leap = frames[to + 1].motion;
    if (!isNextDecoded(frames, to) || !(leap >= minJump) || !isStill(frames[to])) continue;
    if (leap < minJumpRatio * maxMotionBeside(frames, to + 1, 1)) continue;
    let from = to;
    while (
      from > 1 &&
      isNextDecoded(frames, from - 1) &&
      isStill(frames[from - 1]) &&
      isSamePicture(frames, from - 2, to)
    )
      from--;
    const isLong = frames[to].time_s - frames[from].time_s >= minFreeze_s;
    if (isLong && maxMotionBeside(frames, from, -1) >= minMotion)
      for (let i = from; i <= to; i++) frozen.add(i);
  }
  return frozen;
}

/** Returns true if two frames show the same picture, so that small changes from frame to frame have not added up. */
function isSamePicture(frames: readonly ComparedFrame[], a: number, b: number): boolean {
  const earlier = frames[a].grid;
  return frames[b].grid.every((level, i) => Math.abs(level - earlier[i]) <= maxCodingNoise);
}

/** Looser limits than for repeats: only a reason to decode more frames. */
const maxDoubtfulFraction = 0.3;
const minDoubtfulFraction = 0.6;

/** Returns true if most pairs within motion change far less than the pairs around them (at least two pairs). */
export function mayRepeat(frames: readonly ComparedFrame[]): boolean {
  let between = 0;
  let weak = 0;
  frames.forEach(({ motion }, i) => {
    const around = Math.min(maxMotionBeside(frames, i, -1), maxMotionBeside(frames, i, 1));
    if (Number.isNaN(motion) || around < minMotion) return;
    between++;
    if (motion <= maxDoubtfulFraction * around) weak++;
  });
  return weak >= 2 && weak >= minDoubtfulFraction * between;
}

/**
 * Minimum number of distances for a rhythm, and the fraction of them that must be equal (missed repeats split some).
 */
const minDistances = 5;
const minSameFraction = 0.5;

/**
 * Returns the number of frames from one new picture to the next if most distances are equal; null if there is no such
 * rhythm.
 */
function commonDistance(classified: readonly (boolean | null)[]): number | null {
  const counts = new Map<number, number>();
  let all = 0;
  let since: number | null = null;
  for (const repeat of classified) {
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
    if (all >= minDistances && count > minSameFraction * all) return distance;
  return null;
}
