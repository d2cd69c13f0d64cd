import { clamp, significant } from '#core';
import type { Subject } from '../../check.ts';
import { computeMedian } from '../../features/numeric.ts';
import { correlatePictures, maxLagFrames, sumLagProducts } from '../../features/picture-lag.ts';
import { selectComparedStreams } from './comparison-rows.ts';

/**
 * Evidence from one episode on missing or extra frames in its video file. Picture change is correlated with state speed;
 * see `sumLagProducts`.
 */
export type WindowShift = {
  /**
   * Frames by which the file ends early; negative if it ends late. Zero if it ends on time. `null` if the windows of
   * the file leave gaps or overlap, so that the frames cannot be counted against them.
   */
  readonly shift: number | null;
  /** Lag of the pictures behind the state, in frames, where the file ends on time; `null` if it has no clear peak. */
  readonly lag: number | null;
  /** `sumLagProducts` at the lags of `getLagRange`, if the file ends early or late; empty without motion. */
  readonly products: readonly number[];
};

/** Lags, in frames, that a camera may have by itself; positive: pictures behind the state. */
const cameraLags = [-4, 6] as const;
/**
 * The same if no other camera or file shows it: recorders take the newest picture, which is at most a few frames old,
 * and the state may be read late by as much.
 */
const usualCameraLags = [-2, 3] as const;
/** Above this number of frames, shifted pictures are only told from unshifted ones, not by how much. */
const maxMeasuredShift = 40;
/** Minimum correlation at a lag that counts as that of the camera. */
const minPeak = 0.3;
/** Minimum number of episodes that show the lag of a camera. */
const minReferences = 3;
/** Minimum number of blocks with motion in a file. */
const minBlocks = 8;
/** Probability of error per statement. */
const errorRate = 0.001;

/**
 * Returns by how many frames a camera's video file ends early, negative if late; 0 if nothing is shifted or no loader
 * asks by time, `null` if unknown.
 */
export function countShiftAtEnd(subject: Subject, camera: string): number | null {
  const served = subject.cameras.get(camera)?.container?.served;
  const locator = subject.episode.streams.find(({ id }) => id === camera)?.frames?.locator;
  if (served === undefined || locator?.type !== 'video' || locator.asked === undefined) return 0;
  const { windows_end_s, rate_hz } = locator.asked;
  if (windows_end_s === undefined || served.file_last_s === null) return null;
  const byCount = Math.round(windows_end_s * rate_hz) - served.file_frames;
  const byTime = Math.round((windows_end_s - served.file_last_s) * rate_hz) - 1;
  // A file whose stamps keep the time of lost frames shifts nothing; one that only starts late lost nothing.
  if (byCount * byTime <= 0) return 0;
  return Math.sign(byTime) * Math.min(Math.abs(byCount), Math.abs(byTime));
}

/**
 * Measures one camera in an episode: by how many frames its file is shifted at the end and, depending on that, its
 * lag or the lag products that `locateShift` needs.
 */
export function measureWindowShift(subject: Subject, camera: string): WindowShift {
  const shift = countShiftAtEnd(subject, camera);
  const coded = subject.cameras.get(camera)?.coded ?? null;
  if (coded === null || shift === null) return { shift, lag: null, products: [] };
  const signals = selectComparedStreams(subject, 'state');
  if (shift !== 0) {
    const sums = sumLagProducts(coded, signals, ...getLagRange(shift));
    return { shift, lag: null, products: (sums ?? []).map((value) => significant(value, 3)) };
  }
  const correlation = correlatePictures(coded, signals) ?? [];
  const peak = Math.max(...correlation);
  return { shift, lag: peak < minPeak ? null : correlation.indexOf(peak) - maxLagFrames, products: [] };
}

function getLagRange(shift: number): readonly [from: number, to: number] {
  const measured = Math.abs(shift) <= maxMeasuredShift ? shift : 0;
  return [cameraLags[0] - Math.max(0, measured), cameraLags[1] - Math.min(0, measured)];
}

/**
 * Returns the range of lags in frames that a camera may have: around the median of the same camera in other files,
 * else of other cameras, else the usual range.
 */
export function selectCameraLags(
  own: readonly (number | null)[],
  others: readonly (number | null)[],
): readonly [from: number, to: number] {
  for (const [lags, margin] of [[own, 1] as const, [others, 2] as const]) {
    const known = lags.filter((lag) => lag !== null);
    const lag = Math.round(computeMedian(known));
    if (known.length < minReferences) continue;
    return [clamp(lag - margin, ...cameraLags), clamp(lag + margin, ...cameraLags)];
  }
  return usualCameraLags;
}

/**
 * Rows of an episode whose pictures are shifted: `none`; `some`: at least those at its end; `unknown`: the pictures do
 * not show it.
 */
export type ShiftedRows = 'none' | 'some' | 'unknown';

/**
 * Returns for each window of a file, in order of time, whether some of its pictures are shifted, none is, or it is
 * unknown. Frames are lost in one or more places, so that the shift grows from window to window until it is the
 * file's; the most probable course is compared, for each window, with the best one that says the opposite. They
 * differ enough if a random walk with the drift and the variance of the blocks (Brownian motion, Lundberg's
 * inequality) would get there with a probability of `errorRate`.
 */
export function locateShift(
  windows: readonly WindowShift[],
  lags: readonly [from: number, to: number],
): ShiftedRows[] {
  const shift = windows[0].shift ?? 0;
  const [from, to] = getLagRange(shift);
  const byWindow = windows.map(({ products }) => splitBlocks(products, to - from + 1));
  const blocks = byWindow.flat();
  const candidates = Array.from({ length: lags[1] - lags[0] + 1 }, (_, i) =>
    scoreStates(blocks, shift, lags[0] + i - from),
  );
  const limit = computeLimit(candidates);
  if (limit === null) return windows.map(() => 'unknown');
  const ends: number[] = [];
  for (const { length } of byWindow) ends.push((ends.at(-1) ?? -1) + length);
  const courses = candidates.map((scores) => compareCourses(scores, ends, 2 * limit));
  return windows.map((_, at) => {
    const unshifted = Math.max(...courses.map((course) => course[at].unshifted));
    const shifted = Math.max(...courses.map((course) => course[at].shifted));
    if (unshifted - shifted >= limit) return 'none';
    return shifted - unshifted >= limit ? 'some' : 'unknown';
  });
}

/** Splits the sums of an episode into blocks; an episode without any gets one that says nothing. */
function splitBlocks(products: readonly number[], lags: number): (readonly number[])[] {
  if (products.length === 0) return [new Array<number>(lags).fill(0)];
  return Array.from({ length: products.length / lags }, (_, i) => products.slice(i * lags, (i + 1) * lags));
}

/**
 * Returns the score of each block in each state: no shift first, the shift of the whole file last, and all between.
 * `unshifted` is the position of the camera's own lag in a block. A shift too large to measure has two states, of
 * which the second has no correlation.
 */
function scoreStates(
  blocks: readonly (readonly number[])[],
  shift: number,
  unshifted: number,
): (readonly number[])[] {
  if (Math.abs(shift) > maxMeasuredShift) return blocks.map((block) => [block[unshifted], 0]);
  const step = Math.sign(shift);
  return blocks.map((block) =>
    Array.from({ length: Math.abs(shift) + 1 }, (_, s) => block[unshifted - step * s]),
  );
}

/**
 * Returns the difference of scores at which one course is certain, from the blocks' own scatter around the best
 * single step; `null` if they show no step and no lag.
 */
function computeLimit(candidates: readonly (readonly (readonly number[])[])[]): number | null {
  let best: { score: number; gains: readonly number[] } | null = null;
  for (const scores of candidates) {
    const gains = scores.map((states) => states[0] - states[states.length - 1]);
    let sum = scores.reduce((total, states) => total + states[states.length - 1], 0);
    let top = { score: sum, at: 0 };
    gains.forEach((gain, t) => {
      sum += gain;
      if (sum > top.score) top = { score: sum, at: t + 1 };
    });
    if (best !== null && top.score <= best.score) continue;
    best = { score: top.score, gains: gains.map((gain, t) => (t < top.at ? gain : -gain)) };
  }
  const gains = best?.gains.filter((gain) => gain !== 0) ?? [];
  if (gains.length < minBlocks) return null;
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains.length - 1);
  return mean > 0 ? (variance * Math.log(1 / errorRate)) / (2 * mean) : null;
}

type Course = { readonly unshifted: number; readonly shifted: number };

/**
 * Returns for the last block of each window (`ends`) the score of the best course that is unshifted so far, and of
 * the best one that is shifted. States only grow; each change costs `cost`, also before the first block and after
 * the last one.
 */
function compareCourses(
  scores: readonly (readonly number[])[],
  ends: readonly number[],
  cost: number,
): Course[] {
  const last = scores[0].length - 1;
  const rest: number[][] = [];
  for (let t = scores.length - 1; t >= 0; t--) {
    const next = rest[t + 1]?.map((value, s) => value + scores[t + 1][s]);
    const row = next ?? scores[t].map((_, s) => (s === last ? 0 : -cost));
    rest[t] = [...row];
    let later = Number.NEGATIVE_INFINITY;
    for (let s = last; next !== undefined && s >= 0; s--) {
      rest[t][s] = Math.max(row[s], later - cost);
      later = Math.max(later, row[s]);
    }
  }
  let before = scores[0].map((_, s) => (s === 0 ? 0 : -cost));
  const courses: Course[] = [];
  scores.forEach((states, t) => {
    let earlier = Number.NEGATIVE_INFINITY;
    const reached = before.map((value, s) => {
      const best = t === 0 ? value : Math.max(value, earlier - cost);
      earlier = Math.max(earlier, value);
      return best + states[s];
    });
    before = reached;
    if (t !== ends[courses.length]) return;
    const totals = reached.map((value, s) => value + rest[t][s]);
    courses.push({ unshifted: totals[0], shifted: Math.max(...totals.slice(1)) });
  });
  return courses;
}
