import {
  type Episode,
  gridSide,
  type RepeatFacts,
  type SampledFrames,
  type Series,
  type StreamRole,
  timesOf,
} from '#core/episode';
import { lowerBound } from '../features/stream-rows.ts';

type Run = RepeatFacts['runs'][number];

/** Minimum length of a frozen run; shorter runs of equal frames are repeats of a slow camera. */
const minFrozenRun_s = 0.4;
/** Rounding of times in seconds. */
const slack_s = 1e-6;
/** Minimum leap of the picture, in levels, by which a camera catches up after a freeze, by whether it should have changed. */
const minLeap = { yes: 2, unknown: 8 } as const;
/** Minimum motion just before a freeze, in levels, for a leap after it to prove one. */
const minMotionBefore = 2;
/** Minimum fraction of its range that a signal must cover during a run to count as moving. */
const minMotionShare = 0.05;
/** Without signals, maximum length of a run at the end that counts as rest. */
const maxFinalRest_s = 2;
/** Minimum share of equal frames in a run at the end of a video if nothing shows how its picture should have changed. */
const minEqualShare = 0.7;

/**
 * Returns the runs of repeated frames in which the camera froze: long enough and, by signals and the pictures around,
 * not because the scene was still. While signals rest, a picture may stand still (exactly so in simulation). In
 * encoded video a picture that hardly moves may stand still as well. So a freeze must have motion before it and a
 * leap after it, the smaller one if smaller movements elsewhere in the episode changed the picture; to the end of the
 * video, only the latter.
 */
export function findFrozenRuns(repeats: RepeatFacts, sampled: SampledFrames, episode: Episode): Run[] {
  const signals = movingSignals(episode);
  return repeats.runs.filter((run) => {
    const { from_s, to_s, leap } = run;
    if (!lastsLong(run)) return false;
    const share = motionShare(signals, from_s, to_s);
    if (share !== null && share < minMotionShare) return false;
    if (repeats.in_motion === null) return share !== null || leap !== null || to_s - from_s > maxFinalRest_s;
    const expected = share === null ? 'unknown' : expectsChange(signals, sampled, run);
    if (expected === 'no') return false;
    if (leap !== null) return leap >= minLeap[expected] && (run.motion_before ?? Infinity) >= minMotionBefore;
    if (expected === 'yes') return true;
    return run.equal >= minEqualShare * run.frames && (share !== null || to_s - from_s > maxFinalRest_s);
  });
}

/** Returns `true` if a run lasts long enough to count as a freeze. */
export const lastsLong = ({ from_s, to_s }: Run): boolean => to_s - from_s >= minFrozenRun_s - slack_s;

/** A numeric signal of state, action or odometry with the range of each dimension in the episode. */
interface MovingSignal {
  readonly role: StreamRole;
  readonly series: Series;
  readonly times_s: Float64Array;
  readonly ranges: Float64Array;
}

const motionRoles: ReadonlySet<StreamRole> = new Set<StreamRole>(['state', 'action', 'odometry']);
/** Below this a range is rounding. */
const minRange = 1e-9;

function movingSignals({ streams }: Episode): MovingSignal[] {
  return streams.flatMap((stream) => {
    const times_s = timesOf(stream);
    if (!motionRoles.has(stream.role) || stream.series === undefined || times_s === null) return [];
    const { series } = stream;
    return [{ role: stream.role, series, times_s, ranges: rangesBetween(series, 0, times_s.length) }];
  });
}

/** Returns the range of each dimension in rows from..to (`to` is exclusive). */
function rangesBetween({ values, dims }: Series, from: number, to: number): Float64Array {
  const low = new Float64Array(dims).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(dims).fill(Number.NEGATIVE_INFINITY);
  for (let i = from * dims; i < to * dims; i++) {
    const d = i % dims;
    if (values[i] < low[d]) low[d] = values[i];
    if (values[i] > high[d]) high[d] = values[i];
  }
  return high.map((value, d) => Math.max(0, value - low[d]));
}

/** Returns by which fraction of its range in the episode each dimension of a signal moves within a time span. */
function movement(
  { series, times_s, ranges }: MovingSignal,
  from_s: number,
  to_s: number,
): Float64Array | null {
  const from = lowerBound(times_s, from_s);
  let to = from;
  while (to < times_s.length && times_s[to] <= to_s) to++;
  if (to - from < 2) return null;
  const moved = rangesBetween(series, from, to);
  return moved.map((range, d) => (ranges[d] > minRange ? range / ranges[d] : 0));
}

/** Returns the largest movement of a dimension within a time span; `null` without at least two samples there. */
function motionShare(signals: readonly MovingSignal[], from_s: number, to_s: number): number | null {
  const moved = signals.flatMap((signal) => [...(movement(signal, from_s, to_s) ?? [])]);
  return moved.length === 0 ? null : Math.max(...moved);
}

/** Lengths in seconds of the spans whose movement and change are compared with those of a run. */
const comparedLengths_s = [0.15, 0.3, 0.6, 1.2, 2.4];
/** Number of frames at which compared spans start. */
const maxStarts = 200;
/** Compared spans move at least by this fraction of what the run moves, and of what the most moving one does. */
const minMovement = { of_run: 0.1, of_most: 0.5 } as const;
/** Allowance for the noise of signals when movements are compared, as a fraction of a range. */
const movementNoise = 0.005;
/** Minimum number of compared spans, and the shares of them with a changed picture that decide. */
const minComparedSpans = 3;
const changedShare = { yes: 0.75, no: 0.25 } as const;
/** Change that counts: in levels, and as a multiple of the change within the run. */
const minChange = 8;
const minChangeRatio = 3;

/**
 * Returns whether the picture should have changed during a run, judged by spans elsewhere in the episode in which no
 * dimension moved further than it did during the run: `yes` if nearly all of them changed the picture clearly, `unknown`
 * if there are too few of them. States are used if there are any.
 */
function expectsChange(
  all: readonly MovingSignal[],
  sampled: SampledFrames,
  { from_s, to_s }: Run,
): 'yes' | 'no' | 'unknown' {
  const states = all.filter(({ role }) => role === 'state');
  const signals = states.length > 0 ? states : all;
  const limits = signals.map((signal) => movement(signal, from_s, to_s));
  const minMoved = minMovement.of_run * Math.max(...limits.flatMap((moved) => [...(moved ?? [])]));
  const threshold = Math.max(minChange, minChangeRatio * changeWithin(sampled, from_s, to_s));
  const spans: { readonly moved: number; readonly changed: boolean }[] = [];
  for (const [a, b] of spansOutside(sampled, from_s, to_s)) {
    const moved = smallerMovement(signals, limits, sampled.time_s[a], sampled.time_s[b]);
    if (moved !== null && moved >= minMoved)
      spans.push({ moved, changed: gridChange(sampled, a, b) >= threshold });
  }
  const maxMoved = spans.reduce((largest, { moved }) => Math.max(largest, moved), 0);
  spans.sort((a, b) => b.moved - a.moved);
  const compared = spans.filter(
    ({ moved }, i) => moved >= minMovement.of_most * maxMoved || i < minComparedSpans,
  );
  if (compared.length < minComparedSpans) return 'unknown';
  const share = compared.filter(({ changed }) => changed).length / compared.length;
  return share >= changedShare.yes ? 'yes' : share < changedShare.no ? 'no' : 'unknown';
}

/** Returns pairs of decoded frames outside a time span, at most as far apart as it is long. */
function* spansOutside(
  { time_s }: SampledFrames,
  from_s: number,
  to_s: number,
): Generator<[first: number, last: number], void, undefined> {
  const lengths_s = comparedLengths_s.filter((length_s) => length_s <= to_s - from_s + slack_s);
  const step = Math.max(1, Math.floor(time_s.length / maxStarts));
  for (let first = 0; first < time_s.length; first += step) {
    let previous = first;
    for (const length_s of lengths_s) {
      const last = lowerBound(time_s, time_s[first] + length_s - slack_s);
      if (last === time_s.length || time_s[last] - time_s[first] > to_s - from_s + slack_s) break;
      const isOutside = time_s[last] <= from_s || time_s[first] >= to_s;
      if (last !== previous && isOutside) yield [first, last];
      previous = last;
    }
  }
}

/** Returns the largest movement of a dimension in a time span; `null` if one moves further than its limit. */
function smallerMovement(
  signals: readonly MovingSignal[],
  limits: readonly (Float64Array | null)[],
  from_s: number,
  to_s: number,
): number | null {
  let largest = 0;
  for (const [k, signal] of signals.entries()) {
    const moved = movement(signal, from_s, to_s);
    const limit = limits[k];
    if (moved === null || limit === null) return null;
    for (let d = 0; d < moved.length; d++) {
      if (moved[d] > limit[d] + movementNoise) return null;
      if (moved[d] > largest) largest = moved[d];
    }
  }
  return largest;
}

/** Returns the largest change of a block between the first decoded frame of a time span and the later ones. */
function changeWithin(sampled: SampledFrames, from_s: number, to_s: number): number {
  const first = lowerBound(sampled.time_s, from_s - slack_s);
  let largest = 0;
  for (let i = first + 1; i < sampled.time_s.length && sampled.time_s[i] <= to_s; i++)
    largest = Math.max(largest, gridChange(sampled, first, i));
  return largest;
}

function gridChange({ grid }: SampledFrames, a: number, b: number): number {
  const size = gridSide * gridSide;
  let largest = 0;
  for (let k = 0; k < size; k++)
    largest = Math.max(largest, Math.abs(grid[a * size + k] - grid[b * size + k]));
  return largest;
}
