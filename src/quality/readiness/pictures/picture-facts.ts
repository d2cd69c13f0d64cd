import { significant } from '#core';
import {
  type CameraEvidence,
  type Episode,
  type RepeatFacts,
  type SampledFrames,
  type Stream,
  type StreamRole,
  timesOf,
} from '#core/episode';
import type { Subject } from '../check.ts';

export type Flaw = 'black' | 'blank' | 'dark' | 'bright' | 'blurred';

/** Frames with a flaw: their share of those looked at, and where they lie (seconds, at most 16 spans). */
type FlawedFrames = {
  readonly flaw: Flaw;
  readonly share: number;
  readonly spans: readonly (readonly [from_s: number, to_s: number])[];
};

/** What is measured of one camera's pictures, without judging it. */
export type PictureFacts = {
  readonly camera: string;
  readonly decodable: 'yes' | 'partial' | 'no';
  readonly reason: string | null;
  /** Frames decoded and looked at. */
  readonly frames: number;
  /** Only those that any frame has. */
  readonly flaws: readonly FlawedFrames[];
  /** Median sharpness, for reading the receipt. */
  readonly sharpness: number | null;
  readonly repeats: {
    readonly pairs: number;
    readonly equal: number;
    /** Frames from one new picture to the next, where that is nearly always the same. */
    readonly every: number | null;
    /** At which new pictures come, from the share of repeats; null where the rate of the frames is not known. */
    readonly new_rate_hz: number | null;
    /** The longest runs of equal frames, at most 4. */
    readonly longest: readonly (readonly [from_s: number, to_s: number])[];
  } | null;
  /** Runs of equal frames of at least `frozenRun_s` while signals move, or with nothing to tell whether they do. */
  readonly frozen: { readonly seconds: number; readonly spans: readonly (readonly [number, number])[] };
};

/** Luma limits, 0..255. Video black is 16 and sensors add a little noise to it. */
const limits = { black_mean: 24, black_std: 6, blank_std: 3, dark_ratio: 0.85, bright_ratio: 0.5 } as const;
/**
 * Below both: no fine structure on a picture reduced to 320 px. Of 150 real pictures (640 px) the smoothest has 8.8 and
 * 0.0067 of its contrast; blurred with sigma 6 px the median has 2.9 and 0.002.
 */
const blurred = { sharpness: 6, of_contrast: 0.006 } as const;
/** Shorter runs of equal frames are repeats of a slow camera, not a frozen one. */
const frozenRun_s = 0.4;
/** Levels by which the mean of some block changes where a picture goes on after it stood still. */
const leastLeap = 8;
/** A signal that covers this share of its range during a run moves. */
const moving = 0.05;
/** Rest that ends a video without saying anything, as long as a task's end is filmed. */
const lastRest_s = 2;
const mostSpans = 16;

export function pictureFacts(stream: Stream, evidence: CameraEvidence, subject: Subject): PictureFacts {
  const { sampled } = evidence;
  const flaws = flawsOf(sampled, stepOf(sampled, stream));
  const repeats = withoutStanding(withoutEmpty(evidence.repeats, flaws), subject);
  return {
    camera: stream.id,
    decodable: evidence.decodable === 'partial' ? 'partial' : evidence.decodable === 'yes' ? 'yes' : 'no',
    flaws,
    frames: sampled.index.length,
    frozen: frozenOf(repeats),
    reason: evidence.reason,
    repeats: repeatsOf(repeats, evidence.container?.rate_hz ?? stream.declared_rate_hz),
    sharpness: sampled.sharpness.length === 0 ? null : significant(middle(sampled.sharpness)),
  };
}

/** Whether no frame that was looked at shows more than black or one even colour. */
export function showsNothing({ sampled }: CameraEvidence): boolean {
  for (let i = 0; i < sampled.index.length; i++)
    if (!isBlackFrame(sampled, i) && !isEvenFrame(sampled, i)) return false;
  return sampled.index.length > 0;
}

const isBlackFrame = ({ luma_mean, luma_std }: SampledFrames, i: number): boolean =>
  luma_mean[i] <= limits.black_mean && luma_std[i] <= limits.black_std;
const isEvenFrame = ({ luma_std }: SampledFrames, i: number): boolean => luma_std[i] <= limits.blank_std;

function flawsOf(sampled: SampledFrames, step_s: number): FlawedFrames[] {
  const { dark_ratio, bright_ratio } = sampled;
  const isBlack = (i: number) => isBlackFrame(sampled, i);
  const isBlank = (i: number) => !isBlack(i) && isEvenFrame(sampled, i);
  const shows = (i: number) => !isBlack(i) && !isBlank(i);
  const found = [
    flawed('black', sampled, step_s, isBlack),
    flawed('blank', sampled, step_s, isBlank),
    flawed('dark', sampled, step_s, (i) => shows(i) && dark_ratio[i] >= limits.dark_ratio),
    flawed('bright', sampled, step_s, (i) => shows(i) && bright_ratio[i] >= limits.bright_ratio),
    flawed('blurred', sampled, step_s, (i) => shows(i) && isBlurred(sampled, i)),
  ];
  return found.filter(({ share }) => share > 0);
}

/** Fine structure measured alone would call every plain scene blurred, so it is held against the contrast too. */
function isBlurred({ sharpness, luma_std }: SampledFrames, i: number): boolean {
  return sharpness[i] < blurred.sharpness && sharpness[i] < blurred.of_contrast * luma_std[i] * luma_std[i];
}

function stepOf(sampled: SampledFrames, { declared_rate_hz }: Stream): number {
  const n = sampled.time_s.length;
  if (n > 1) return (sampled.time_s[n - 1] - sampled.time_s[0]) / (n - 1);
  return declared_rate_hz === null ? 0 : 1 / declared_rate_hz;
}

/** Neighbouring frames of the sort join to a span; each frame stands for the time up to the next one looked at. */
function flawed(
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
    spans: longestFirst(spans).slice(0, mostSpans),
  };
}

function longestFirst(spans: readonly [number, number][]): [number, number][] {
  return [...spans].sort((a, b) => b[1] - b[0] - (a[1] - a[0]) || a[0] - b[0]);
}

/** Black and blank frames are equal too, and said once: runs that lie in them are not told again as repeats. */
function withoutEmpty(repeats: RepeatFacts, flaws: readonly FlawedFrames[]): RepeatFacts {
  const empty = flaws
    .filter(({ flaw }) => flaw === 'black' || flaw === 'blank')
    .flatMap(({ spans }) => spans);
  const runs = repeats.runs.filter(({ from_s, to_s }) => {
    const middle_s = (from_s + to_s) / 2;
    return !empty.some(([from, to]) => middle_s >= from && middle_s <= to);
  });
  return without(repeats, runs);
}

/** Fewer pairs within motion say nothing of how often pictures repeat. */
const fewestInMotion = 8;

/** Of coded video, what repeats within motion; of other pictures, what is equal. */
function repeatsOf(repeats: RepeatFacts, rate_hz: number | null): PictureFacts['repeats'] {
  if (repeats.method === 'none') return null;
  const { equal, pairs } = countedOf(repeats);
  return {
    equal,
    every: repeats.in_motion?.every ?? null,
    longest: repeats.runs.slice(0, 4).map((run) => [significant(run.from_s), significant(run.to_s)]),
    new_rate_hz: rate_hz === null || pairs === 0 ? null : significant(rate_hz * (1 - equal / pairs), 3),
    pairs,
  };
}

function countedOf({ in_motion, method, pairs_compared, pairs_equal }: RepeatFacts): {
  equal: number;
  pairs: number;
} {
  if (in_motion === null) return { equal: pairs_equal, pairs: pairs_compared };
  if (in_motion.pairs < fewestInMotion) return { equal: 0, pairs: in_motion.pairs };
  return { equal: in_motion.equal, pairs: method === 'packets' ? pairs_compared : in_motion.pairs };
}

/**
 * A robot that stands sees one picture for long (exactly the same in a simulation): neither frozen nor repeated. Where no
 * signal tells, neither is a short rest that lasts to the end: tasks end so, and nothing shows that anything was missed.
 */
function withoutStanding(repeats: RepeatFacts, { episode }: Subject): RepeatFacts {
  const runs = repeats.runs.filter(({ from_s, to_s, leap }) => {
    if (to_s - from_s < frozenRun_s) return true;
    const moved = motionShare(episode, from_s, to_s);
    return moved === null ? leap !== null || to_s - from_s > lastRest_s : moved >= moving;
  });
  return without(repeats, runs);
}

/** With these runs alone; the equal pairs of the others are no longer counted. */
function without(repeats: RepeatFacts, runs: RepeatFacts['runs']): RepeatFacts {
  let gone = 0;
  for (const run of repeats.runs) if (!runs.includes(run)) gone += run.frames;
  return { ...repeats, runs, pairs_equal: Math.max(0, repeats.pairs_equal - gone) };
}

function frozenOf(repeats: RepeatFacts): PictureFacts['frozen'] {
  let seconds = 0;
  const spans: [number, number][] = [];
  for (const { from_s, to_s, leap } of repeats.runs) {
    if (to_s - from_s < frozenRun_s || crept(repeats, leap)) continue;
    seconds += to_s - from_s;
    spans.push([significant(from_s), significant(to_s)]);
  }
  return { seconds: significant(seconds), spans };
}

/**
 * An encoder that saves bits makes neighbours equal while something creeps, and catches up by a little; a camera that
 * stood still while the robot moved catches up by all that it missed.
 */
function crept({ in_motion }: RepeatFacts, leap: number | null): boolean {
  return in_motion !== null && leap !== null && leap < leastLeap;
}

function middle(values: Float32Array): number {
  const sorted = Float32Array.from(values).sort();
  return sorted[sorted.length >> 1];
}

const moves: ReadonlySet<StreamRole> = new Set<StreamRole>(['state', 'action', 'odometry']);

/**
 * How far state, action and odometry move between two times: the largest range of a dimension in the window as a share of its
 * range in the episode. Null when no such signal has samples there, so that nothing can be said.
 */
function motionShare(episode: Episode, from_s: number, to_s: number): number | null {
  let share: number | null = null;
  for (const stream of episode.streams) {
    if (!moves.has(stream.role) || stream.series === undefined) continue;
    const times = timesOf(stream);
    if (times === null) continue;
    const own = largestShare(stream.series.values, stream.series.dims, times, from_s, to_s);
    if (own !== null && (share === null || own > share)) share = own;
  }
  return share;
}

function largestShare(
  values: Float32Array | Float64Array,
  dims: number,
  times: Float64Array,
  from_s: number,
  to_s: number,
): number | null {
  let inside = 0;
  for (let i = 0; i < times.length; i++) if (times[i] >= from_s && times[i] <= to_s) inside++;
  if (inside < 2) return null;
  let largest = 0;
  for (let d = 0; d < dims; d++) {
    let low = Infinity;
    let high = -Infinity;
    let lowInside = Infinity;
    let highInside = -Infinity;
    for (let i = 0; i < times.length; i++) {
      const value = values[i * dims + d];
      if (value < low) low = value;
      if (value > high) high = value;
      if (times[i] < from_s || times[i] > to_s) continue;
      if (value < lowInside) lowInside = value;
      if (value > highInside) highInside = value;
    }
    const range = high - low;
    if (range > 1e-9 && (highInside - lowInside) / range > largest)
      largest = (highInside - lowInside) / range;
  }
  return largest;
}
