import { significant } from '#core';
import type { CameraEvidence, RepeatFacts, SampledFrames, Stream } from '#core/episode';
import type { Subject } from '../check.ts';
import { findFrozenRuns, lastsLong } from './frozen-runs.ts';

/** Kinds of flaws of a decoded frame. */
export type Flaw = 'black' | 'blank' | 'dark' | 'bright' | 'blurred';

/** Frames with one flaw: their share of the decoded frames and their spans (seconds, the longest 16). */
type FlawedFrames = {
  readonly flaw: Flaw;
  readonly share: number;
  readonly spans: readonly (readonly [from_s: number, to_s: number])[];
};

/** Measured facts about one camera's pictures, without scores. */
export type PictureFacts = {
  readonly camera: string;
  readonly decodable: 'yes' | 'partial' | 'no';
  readonly reason: string | null;
  /** Number of decoded frames. */
  readonly frames: number;
  /** Flaws that at least one frame has. */
  readonly flaws: readonly FlawedFrames[];
  /** Median sharpness, for information only; `null` without decoded frames. */
  readonly sharpness: number | null;
  readonly repeats: {
    readonly pairs: number;
    readonly equal: number;
    /** Frames per new picture, if that is nearly constant; else `null`. */
    readonly every: number | null;
    /** Frames from one repeat to the next, if that is nearly constant; else `null`. */
    readonly one_in: number | null;
    /** Pairs that look equal where changes are so small that the encoder may have discarded them. */
    readonly discarded: number;
    /** Rate of new pictures, from the share of repeats; `null` if the frame rate is unknown. */
    readonly new_rate_hz: number | null;
    /** The longest runs of equal frames, at most 4, in seconds. */
    readonly longest: readonly (readonly [from_s: number, to_s: number])[];
  } | null;
  /**
   * Spans of at least 0.4 s in which the camera shows one picture while signals move, or with no signals to judge
   * by; the longest 16.
   */
  readonly frozen: { readonly seconds: number; readonly spans: readonly (readonly [number, number])[] };
};

/**
 * Luma limits, 0..255, and shares of dark and bright pixels. Video black is 16; sensors add a little noise to
 * it.
 */
const lumaLimits = {
  black_mean: 24,
  black_std: 6,
  blank_std: 3,
  dark_ratio: 0.85,
  bright_ratio: 0.5,
} as const;
/**
 * A frame below both limits has no fine structure (picture reduced to 320 px). Of 150 real pictures (640 px)
 * the smoothest has 8.8 and 0.0067 of its contrast; blurred with sigma 6 px the median has 2.9 and 0.002.
 */
const blurLimits = { sharpness: 6, of_contrast: 0.006 } as const;
const maxSpans = 16;

/**
 * Measures flaws, repeated frames, frozen runs and sharpness of one camera from its sampled frames; `sharpness` is
 * `null` without frames.
 */
export function computePictureFacts(
  stream: Stream,
  evidence: CameraEvidence,
  subject: Subject,
): PictureFacts {
  const { sampled } = evidence;
  const flaws = findFlaws(sampled, computeFrameStep_s(sampled, stream));
  const shown = excludeEmptyRuns(evidence.repeats, flaws);
  const frozen = findFrozenRuns(shown, sampled, subject.episode);
  const repeats = excludeRestRuns(shown, frozen);
  return {
    camera: stream.id,
    decodable: evidence.decodable === 'partial' ? 'partial' : evidence.decodable === 'yes' ? 'yes' : 'no',
    flaws,
    frames: sampled.index.length,
    frozen: summarizeFrozenRuns(frozen),
    reason: evidence.reason,
    repeats: summarizeRepeats(repeats, evidence.container?.rate_hz ?? stream.declared_rate_hz),
    sharpness: sampled.sharpness.length === 0 ? null : significant(upperMedian(sampled.sharpness)),
  };
}

/** Returns `true` if there are decoded frames and each is black or one uniform colour; `false` without frames. */
export function hasOnlyEmptyFrames({ sampled }: CameraEvidence): boolean {
  for (let i = 0; i < sampled.index.length; i++)
    if (!isBlackFrame(sampled, i) && !isUniformFrame(sampled, i)) return false;
  return sampled.index.length > 0;
}

const isBlackFrame = ({ luma_mean, luma_std }: SampledFrames, i: number): boolean =>
  luma_mean[i] <= lumaLimits.black_mean && luma_std[i] <= lumaLimits.black_std;
const isUniformFrame = ({ luma_std }: SampledFrames, i: number): boolean =>
  luma_std[i] <= lumaLimits.blank_std;

function findFlaws(sampled: SampledFrames, step_s: number): FlawedFrames[] {
  const { dark_ratio, bright_ratio } = sampled;
  const isBlack = (i: number) => isBlackFrame(sampled, i);
  const isBlank = (i: number) => !isBlack(i) && isUniformFrame(sampled, i);
  const hasContent = (i: number) => !isBlack(i) && !isBlank(i);
  const found = [
    measureFlaw('black', sampled, step_s, isBlack),
    measureFlaw('blank', sampled, step_s, isBlank),
    measureFlaw('dark', sampled, step_s, (i) => hasContent(i) && dark_ratio[i] >= lumaLimits.dark_ratio),
    measureFlaw(
      'bright',
      sampled,
      step_s,
      (i) => hasContent(i) && bright_ratio[i] >= lumaLimits.bright_ratio,
    ),
    measureFlaw('blurred', sampled, step_s, (i) => hasContent(i) && isBlurred(sampled, i)),
  ];
  return found.filter(({ share }) => share > 0);
}

/**
 * Returns `true` if a frame is blurred. Sharpness is also compared with the contrast; otherwise every plain
 * scene would count as blurred.
 */
function isBlurred({ sharpness, luma_std }: SampledFrames, i: number): boolean {
  return (
    sharpness[i] < blurLimits.sharpness && sharpness[i] < blurLimits.of_contrast * luma_std[i] * luma_std[i]
  );
}

function computeFrameStep_s(sampled: SampledFrames, { declared_rate_hz }: Stream): number {
  const n = sampled.time_s.length;
  if (n > 1) return (sampled.time_s[n - 1] - sampled.time_s[0]) / (n - 1);
  return declared_rate_hz === null ? 0 : 1 / declared_rate_hz;
}

/**
 * Measures the frames for which `is` holds. Consecutive ones form a span; each frame stands for the time up
 * to the next decoded one.
 */
function measureFlaw(
  flaw: Flaw,
  sampled: SampledFrames,
  step_s: number,
  is: (i: number) => boolean,
): FlawedFrames {
  const n = sampled.index.length;
  const spans: [number, number][] = [];
  let count = 0;
  let open = false;
  for (let i = 0; i < n; i++) {
    const yes = is(i);
    if (yes) {
      count++;
      const to_s = significant(sampled.time_s[i] + step_s);
      if (open) spans[spans.length - 1][1] = to_s;
      else spans.push([significant(sampled.time_s[i]), to_s]);
    }
    open = yes;
  }
  return {
    flaw,
    share: n === 0 ? 0 : significant(count / n),
    spans: sortByLength(spans).slice(0, maxSpans),
  };
}

function sortByLength(spans: readonly [number, number][]): [number, number][] {
  return [...spans].sort((a, b) => b[1] - b[0] - (a[1] - a[0]) || a[0] - b[0]);
}

/** Removes equal runs inside black or blank spans, which are reported already. */
function excludeEmptyRuns(repeats: RepeatFacts, flaws: readonly FlawedFrames[]): RepeatFacts {
  const empty = flaws
    .filter(({ flaw }) => flaw === 'black' || flaw === 'blank')
    .flatMap(({ spans }) => spans);
  const runs = repeats.runs.filter(({ from_s, to_s }) => {
    const middle_s = (from_s + to_s) / 2;
    return !empty.some(([from, to]) => middle_s >= from && middle_s <= to);
  });
  return retainRuns(repeats, runs);
}

/** Minimum number of frame pairs within motion for counting repeats, and of repeats that have no rhythm. */
const minPairsInMotion = 8;
const minIrregularRepeats = 6;

/**
 * Counts repeated frames: for coded video those within motion, otherwise all equal pairs. `null` if repeats
 * were not measured.
 */
function summarizeRepeats(repeats: RepeatFacts, rate_hz: number | null): PictureFacts['repeats'] {
  if (repeats.method === 'none') return null;
  const { equal, pairs } = countRepeats(repeats);
  return {
    equal,
    discarded: repeats.in_motion?.discarded ?? 0,
    every: repeats.in_motion?.every ?? null,
    one_in: repeats.in_motion?.one_in ?? null,
    longest: longestRepeats(repeats),
    new_rate_hz: rate_hz === null || pairs === 0 ? null : significant(rate_hz * (1 - equal / pairs), 3),
    pairs,
  };
}

/** Returns the longest spans of repeated frames, at most 4; in video those within motion, because runs are freezes. */
function longestRepeats({ in_motion, places, runs }: RepeatFacts): [number, number][] {
  const spans = in_motion === null ? runs.map(({ from_s, to_s }) => [from_s, to_s] as const) : places;
  const longest = sortByLength(spans.map(([from_s, to_s]) => [significant(from_s), significant(to_s)]));
  return longest.slice(0, 4);
}

function countRepeats({ in_motion, method, pairs_compared, pairs_equal }: RepeatFacts): {
  equal: number;
  pairs: number;
} {
  if (in_motion === null) return { equal: pairs_equal, pairs: pairs_compared };
  const isRhythmic = in_motion.one_in !== null || (in_motion.every ?? 1) > 1;
  const isEnough = isRhythmic || in_motion.equal >= minIrregularRepeats;
  if (in_motion.pairs < minPairsInMotion || !isEnough) return { equal: 0, pairs: in_motion.pairs };
  // Coding hides some repeats of a rhythm that the others show.
  const rhythmic = in_motion.one_in === null ? 0 : Math.round(in_motion.pairs / in_motion.one_in);
  return {
    equal: Math.max(in_motion.equal, rhythmic),
    pairs: method === 'packets' ? pairs_compared : in_motion.pairs,
  };
}

/** Removes long runs that are not frozen, in which the scene stood still. */
function excludeRestRuns(repeats: RepeatFacts, frozen: RepeatFacts['runs']): RepeatFacts {
  return retainRuns(
    repeats,
    repeats.runs.filter((run) => !lastsLong(run) || frozen.includes(run)),
  );
}

/** Returns the facts with the given runs only, and without the equal pairs of the removed ones. */
function retainRuns(repeats: RepeatFacts, runs: RepeatFacts['runs']): RepeatFacts {
  let removed = 0;
  for (const run of repeats.runs) if (!runs.includes(run)) removed += run.equal;
  return { ...repeats, runs, pairs_equal: Math.max(0, repeats.pairs_equal - removed) };
}

function summarizeFrozenRuns(runs: RepeatFacts['runs']): PictureFacts['frozen'] {
  let seconds = 0;
  for (const { from_s, to_s } of runs) seconds += to_s - from_s;
  const spans = runs.map(({ from_s, to_s }) => [significant(from_s), significant(to_s)] as const);
  return { seconds: significant(seconds), spans: spans.slice(0, maxSpans) };
}

function upperMedian(values: Float32Array): number {
  const sorted = Float32Array.from(values).sort();
  return sorted[sorted.length >> 1];
}
