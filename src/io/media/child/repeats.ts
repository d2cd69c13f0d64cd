import { sampleEvenly } from '#core';
import type { RepeatFacts } from '#core/episode';
import { type CodedFrame, findStillSpans, maxChange, numberGroups, type StillSpan } from './still-spans.ts';

/** A frame compared with the previous one. */
export interface ComparedFrame {
  readonly index: number;
  readonly time_s: number;
  /** True if it equals the previous frame; `null` if that was not decoded. See `EvidenceBuilder`. */
  readonly equal: boolean | null;
  /** Largest change of a block mean since the previous frame, in levels; NaN if that was not decoded. */
  readonly motion: number;
}

/** Maximum number of runs, and of repeated spans listed for display. */
const maxSpans = 200;

/** Counts equal consecutive frames and their runs among pictures that are coded one by one. */
export function repeatFacts(frames: readonly ComparedFrame[], method: RepeatFacts['method']): RepeatFacts {
  const equal = frames.map((frame) => frame.equal);
  const runs = equalRuns(equal).map((run) => ({
    ...run,
    equal: run.to - run.from,
    motion_before: Number.isNaN(frames[run.from].motion) ? null : frames[run.from].motion,
    leap: jumpAfter(frames, run.to + 1),
  }));
  return {
    ...countEqual(equal),
    ...listRuns(frames, runs),
    ...listPlaces(frames, equal),
    method,
    in_motion: null,
  };
}

/**
 * Counts equal consecutive frames of a video, whose frames are predicted from each other: the runs are the spans that
 * show one picture (see `findStillSpans`), and shorter repeats are judged by the motion around them (see `judgeRepeats`).
 */
export function videoRepeatFacts(frames: readonly VideoFrame[], method: RepeatFacts['method']): RepeatFacts {
  const still = findStillSpans(frames);
  const equal = frames.map((frame) => frame.equal);
  const usual = usualMotion(frames, still);
  const groups = numberGroups(frames);
  const runs = still.map((span) => ({
    ...span,
    equal: equal.slice(span.from + 1, span.to + 1).filter((one) => one === true).length,
    motion_before:
      span.from > 0 && isNextDecoded(frames, span.from - 1)
        ? maxMotionBeside(frames, span.from + 1, -1)
        : null,
    leap: leapAfter(frames, groups, span.to, usual),
  }));
  const { repeats, in_motion } = judgeRepeats(frames, still);
  return {
    ...countEqual(equal),
    ...listRuns(frames, runs),
    ...listPlaces(frames, repeats),
    method,
    in_motion,
  };
}

type Repeats = readonly (boolean | null)[];

function countEqual(equal: Repeats): Pick<RepeatFacts, 'pairs_compared' | 'pairs_equal'> {
  return {
    pairs_compared: equal.filter((one) => one !== null).length,
    pairs_equal: equal.filter((one) => one === true).length,
  };
}

function listRuns(
  frames: readonly ComparedFrame[],
  runs: readonly (StillSpan & Pick<RepeatFacts['runs'][number], 'equal' | 'motion_before' | 'leap'>)[],
): Pick<RepeatFacts, 'runs'> {
  const listed = runs.map(({ from, to, ...rest }) => ({
    from_s: frames[from].time_s,
    to_s: frames[to].time_s,
    frames: to - from,
    ...rest,
  }));
  listed.sort((a, b) => b.frames - a.frames || a.from_s - b.from_s);
  return { runs: listed.slice(0, maxSpans) };
}

function listPlaces(
  frames: readonly ComparedFrame[],
  repeats: Repeats,
): Pick<RepeatFacts, 'places' | 'place_count'> {
  const spans: [number, number][] = [];
  for (let i = 1; i < frames.length; i++) {
    if (repeats[i] !== true) continue;
    if (i > 1 && repeats[i - 1] === true) spans[spans.length - 1][1] = frames[i].time_s;
    else spans.push([frames[i - 1].time_s, frames[i].time_s]);
  }
  return { places: sampleEvenly(spans, maxSpans), place_count: spans.length };
}

/** Returns the runs of frames that equal the previous one, each from the frame that is repeated. */
function equalRuns(equal: readonly (boolean | null)[]): StillSpan[] {
  const runs: { from: number; to: number }[] = [];
  equal.forEach((one, i) => {
    if (one !== true) return;
    if (runs.at(-1)?.to === i - 1) runs[runs.length - 1].to = i;
    else runs.push({ from: i - 1, to: i });
  });
  return runs;
}

/**
 * Returns the largest motion of 4 pairs from frame i on, 0 if it was not measured; null at the end and where frame i was
 * not compared.
 */
function jumpAfter(frames: readonly ComparedFrame[], i: number): number | null {
  if (i + neighbourPairs >= frames.length || frames[i].equal === null) return null;
  return Math.max(frames[i].motion || 0, maxMotionBeside(frames, i, 1));
}

/** Changes below this are coding noise, in levels. */
const minChange = 0.5;

/** Returns the 75th percentile of motion outside still spans among pairs that change at all, in levels. */
function usualMotion(frames: readonly ComparedFrame[], still: readonly StillSpan[]): number {
  const isStillPair = new Uint8Array(frames.length);
  for (const { from, to } of still) isStillPair.fill(1, from + 1, to + 1);
  const motions = frames.flatMap(({ motion }, i) =>
    isStillPair[i] === 0 && motion >= minChange ? [motion] : [],
  );
  motions.sort((a, b) => a - b);
  return motions[Math.floor(0.75 * motions.length)] ?? 0;
}

/**
 * Returns by how many levels a video jumps after a still span that ends at frame `to`, beyond the motion after the jump,
 * the usual motion of the video, and what coding a picture anew may change. A camera that catches up leaps; a scene that
 * starts to move does not, nor does an encoder that collects small changes. Null if the span lasts to the last frames;
 * 0 if the next one was not decoded.
 */
function leapAfter(
  frames: readonly VideoFrame[],
  groups: Int32Array,
  to: number,
  usual: number,
): number | null {
  if (to + neighbourPairs >= frames.length) return null;
  let jump = to;
  let motion = 0;
  for (let i = to + 1; i <= to + neighbourPairs && isNextDecoded(frames, i - 1); i++)
    if (frames[i].motion > motion) [jump, motion] = [i, frames[i].motion];
  const recoding = groups[jump] === groups[to] ? 0 : maxChange.other_group;
  return Math.max(0, motion - Math.max(usual, recoding, maxMotionBeside(frames, jump, 1)));
}

/**
 * Changes of a block mean in levels. From the first on, a picture is moving. Below the second, an encoder may discard
 * what changes, so that repeats count only if they have a rhythm.
 */
const minMotion = 4;
const minCertainMotion = 12;
/** Pairs examined on either side, enough to detect cameras that deliver a quarter of their rate. */
const neighbourPairs = 3;
/**
 * A pair is a repeat if it changes by at most this fraction of the motion around it, and by at most the noise of coding
 * a picture twice. Set on simulated, generated and filmed clips with each picture written once, twice and three times,
 * coded by SVT-AV1 with a key frame every two frames, x264, x265 and libvpx.
 */
const maxStillFraction = 0.12;
const maxCodingNoise = 3.5;
/** A longer span without motion is a stall if the picture jumps afterwards by at least this much, in levels. */
const minJump = 8;
const maxStall_s = 0.4;

type VideoFrame = ComparedFrame & CodedFrame;

/**
 * Judges the repeats among pairs with motion shortly before and after: true for a frame that repeats the previous one,
 * null if too little moves around it, if it is unknown, or within longer still spans. Encoders make consecutive frames
 * equal where little moves, and code equal pictures differently beside key frames; neither happens within motion.
 */
function judgeRepeats(
  frames: readonly VideoFrame[],
  still: readonly StillSpan[],
): { readonly repeats: Repeats; readonly in_motion: NonNullable<RepeatFacts['in_motion']> } {
  const classify = (motion: number, isPossible = false) => {
    const classified = classifyRepeats(frames, (i) =>
      isPossible ? motion : Math.max(motion, frames[i].discards_up_to),
    );
    for (const { from, to } of still) classified.fill(null, from + 1, to + 1);
    return classified;
  };
  const possible = classify(minMotion, true);
  const likely = classify(minMotion);
  const certain = classify(minCertainMotion);
  const one_in = repeatDistance(frames, likely);
  const isSlowCamera = isSlow(likely) || isSlow(certain);
  const repeats = isSlowCamera ? possible : one_in !== null ? likely : certain;
  const equal = count(repeats, true);
  return {
    repeats,
    in_motion: {
      pairs: equal + count(repeats, false),
      equal,
      every: commonDistance(repeats),
      one_in,
      discarded: possible.filter((one, i) => one === true && repeats[i] !== true).length,
    },
  };
}

/** Number of repeats from which a rhythm shows that less certain ones are repeats as well. */
const minRhythmicRepeats = 10;

/** Returns true if new pictures come every second frame or less often, by enough repeats. */
const isSlow = (repeats: Repeats): boolean =>
  (commonDistance(repeats) ?? 1) > 1 && count(repeats, true) >= minRhythmicRepeats;

const count = (classified: Repeats, value: boolean): number =>
  classified.filter((one) => one === value).length;

/** Classifies pairs around which a block changes by at least `motionOf(frame)` levels. */
function classifyRepeats(frames: readonly VideoFrame[], motionOf: (i: number) => number): (boolean | null)[] {
  const classified = frames.map((frame) => (frame.motion >= minMotion ? false : null) as boolean | null);
  for (let from = 0; from < frames.length; from++) {
    if (!isStill(frames[from])) continue;
    let to = from;
    while (isNextDecoded(frames, to) && isStill(frames[to + 1])) to++;
    for (let i = from; i <= to; i++) {
      const around = motionAround(frames, i, from, to);
      if (around >= motionOf(i)) classified[i] = frames[i].motion <= maxStillFraction * around;
    }
    from = to;
  }
  return classified;
}

/** Distances of repeats that come from encoders, which predict frames in a hierarchy of powers of two. */
const hierarchyDistances: readonly number[] = [1, 2, 4, 8, 16, 32];

/**
 * Returns the number of frames from one repeat to the next if most are equally far apart: 5 for a camera at four fifths
 * of the rate. Null if there is no such rhythm, or if it is one of the encoder: of its key frames or its hierarchy.
 */
function repeatDistance(frames: readonly VideoFrame[], repeats: Repeats): number | null {
  const distance = commonSpacing(repeats.map((one) => one === true));
  if (distance === null || hierarchyDistances.includes(distance)) return null;
  return distance === commonSpacing(frames.map(({ key }) => key)) ? null : distance;
}

/** Returns the number of frames from one marked frame to the next if most are equally far apart, else null. */
function commonSpacing(marked: readonly boolean[]): number | null {
  const at = marked.flatMap((one, i) => (one ? [i] : []));
  return mostCommon(at.slice(1).map((i, k) => i - at[k]));
}

const isStill = ({ motion }: ComparedFrame): boolean => motion <= maxCodingNoise;
const isNextDecoded = (frames: readonly ComparedFrame[], i: number): boolean =>
  frames[i + 1]?.index === frames[i].index + 1;

/** Returns the motion around pair i, which lies in the still pairs from..to. */
function motionAround(frames: readonly ComparedFrame[], i: number, from: number, to: number): number {
  return to - from < neighbourPairs
    ? Math.min(maxMotionBeside(frames, i, -1), maxMotionBeside(frames, i, 1))
    : motionAroundStall(frames, from, to);
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

/** Returns the motion on both sides of a stall that the picture jumps after; 0 if the still pairs are not a stall. */
function motionAroundStall(frames: readonly ComparedFrame[], from: number, to: number): number {
  const isStall =
    from > 0 &&
    isNextDecoded(frames, to) &&
    frames[to + 1].motion >= minJump &&
    frames[to].time_s - frames[from - 1].time_s < maxStall_s;
  return isStall ? Math.min(frames[to + 1].motion, maxMotionBeside(frames, from, -1)) : 0;
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
 * Returns the number of frames from one new picture to the next if most distances are equal; null if there is no such
 * rhythm.
 */
function commonDistance(classified: Repeats): number | null {
  const distances: number[] = [];
  let since: number | null = null;
  for (const repeat of classified) {
    if (repeat === true) {
      if (since !== null) since++;
      continue;
    }
    if (repeat === false && since !== null) distances.push(since);
    since = repeat === false ? 1 : null;
  }
  return mostCommon(distances);
}

/**
 * Minimum number of distances for a rhythm, and the fraction of them that must be equal (missed repeats split some).
 */
const minDistances = 5;
const minSameFraction = 0.5;

function mostCommon(distances: readonly number[]): number | null {
  if (distances.length < minDistances) return null;
  const counts = new Map<number, number>();
  for (const distance of distances) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  for (const [distance, count] of counts) if (count > minSameFraction * distances.length) return distance;
  return null;
}
