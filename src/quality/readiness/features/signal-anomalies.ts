import type { Series } from '#core/episode';
import type { Span } from './clock-features.ts';
import { countSamples } from './columns.ts';

/** Fraction of rows at which a dimension is clipped while another moves, and the longest such run. */
export interface Saturation {
  readonly share: number;
  readonly from: number;
  readonly to: number;
}

/**
 * A noisy signal is clipped if it stays on a limit this many times longer than on any other value, and for at
 * least `minUnusualRun` rows.
 */
const minUnusualRatio = 4;
const minUnusualRun = 8;
/**
 * Minimum noise at rest (25th percentile of |bend|) in encoder codes, for a long run of one value to be unusual: a joint
 * whose noise is smaller than the encoder's step rests on one value.
 */
const minNoiseCodes = 3.5;
/**
 * Minimum ratio of the bend at the edge of the run to the largest bend of the ten rows beyond it: braking
 * spreads over several rows, clipping does not.
 */
const minCornerRatio = 1.5;
const minCornerBendFraction = 0.005;

/**
 * Measures the fraction of rows at which a dimension has exactly the value `limit`, in runs of three rows or more,
 * while another dimension moves, and finds the longest run. Since a joint may come to rest at the end of its range,
 * only runs count that are entered or left at speed or, if `noisy`, that last far longer than any other repeated
 * value.
 */
export function measureSaturation(
  series: Series,
  d: number,
  limit: number,
  [low, high]: readonly [number, number],
  noisy: boolean,
): Saturation {
  const samples = countSamples(series);
  const { values, dims } = series;
  const unusual =
    noisy && isFinerThanNoise(series, d, limit, samples)
      ? Math.max(minUnusualRun, minUnusualRatio * findLongestInnerRun(series, d, low, high, samples))
      : Infinity;
  let rows = 0;
  let from = 0;
  let to = 0;
  for (let start = 0; start < samples; start++) {
    if (values[start * dims + d] !== limit) continue;
    let end = start;
    while (end + 1 < samples && values[(end + 1) * dims + d] === limit) end++;
    const length = end - start + 1;
    if (length >= 3 && (length >= unusual || hasCorner(series, d, start, end, samples, high - low))) {
      for (let i = Math.max(1, start); i <= end; i++) if (othersMove(values, dims, d, i)) rows++;
      if (end - start > to - from) {
        from = start;
        to = end;
      }
    }
    start = end;
  }
  return { share: samples > 0 ? rows / samples : 0, from, to };
}

/** `true` if the steps of the encoder are smaller than the noise of rows that are not at `limit`. */
function isFinerThanNoise(series: Series, d: number, limit: number, samples: number): boolean {
  const { values, dims } = series;
  const bends: number[] = [];
  for (let i = 1; i < samples - 1; i++) {
    const at = i * dims + d;
    if (values[at] !== limit) bends.push(Math.abs(values[at + dims] - 2 * values[at] + values[at - dims]));
  }
  bends.sort((a, b) => a - b);
  return bends[bends.length >> 2] > minNoiseCodes * findSmallestStep(series, d, samples);
}

/** Returns the longest run of one value that is neither `low` nor `high`. */
function findLongestInnerRun(
  { values, dims }: Series,
  d: number,
  low: number,
  high: number,
  samples: number,
): number {
  let longest = 1;
  let run = 1;
  for (let i = 1; i < samples; i++) {
    const x = values[i * dims + d];
    run = x === values[(i - 1) * dims + d] && x > low && x < high ? run + 1 : 1;
    if (run > longest) longest = run;
  }
  return longest;
}

function hasCorner(
  series: Series,
  d: number,
  start: number,
  end: number,
  samples: number,
  range: number,
): boolean {
  const floor = minCornerBendFraction * range;
  const entered = findMaxBend(series, d, start - 1, start, samples);
  const exited = findMaxBend(series, d, end, end + 1, samples);
  return (
    entered > minCornerRatio * (findMaxBend(series, d, start - 12, start - 3, samples) + floor) ||
    exited > minCornerRatio * (findMaxBend(series, d, end + 3, end + 12, samples) + floor)
  );
}

/** Returns the largest bend with its middle in rows `from..to`. */
function findMaxBend({ values, dims }: Series, d: number, from: number, to: number, samples: number): number {
  let sharpest = 0;
  for (let i = Math.max(1, from); i <= Math.min(samples - 2, to); i++) {
    const at = i * dims + d;
    const bend = Math.abs(values[at + dims] - 2 * values[at] + values[at - dims]);
    if (bend > sharpest) sharpest = bend;
  }
  return sharpest;
}

function othersMove(values: Series['values'], dims: number, d: number, row: number): boolean {
  const at = row * dims;
  for (let other = 0; other < dims; other++) {
    if (other !== d && values[at + other] !== values[at + other - dims]) return true;
  }
  return false;
}

/** Alternation of one dimension from sample to sample. */
interface Chatter {
  /** Fraction of rows whose bend and the previous one are large and of opposite sign. */
  readonly share: number;
  /** The longest run of such rows; `size` is its number of rows. */
  readonly longest: Span;
  /** Mean |bend| of that run. */
  readonly bend: number;
}

/**
 * Returns the smallest bend that counts as chatter: 2 % of the range (an alternation of ±0.5 %), and at least 0.4 %
 * of the widest range of the stream, below which an encoder tick is noise.
 */
export function computeMinChatterBend(range: number, widest: number): number {
  return Math.max(0.02 * range, 0.004 * widest);
}

/** Minimum bend in encoder codes, since a resting signal alternates between two codes. */
const minBendCodes = 3.5;

/**
 * Measures the chatter of dimension `d`, bends of alternating sign larger than `minBend` and than a few encoder
 * codes: fraction of rows, longest run and its mean bend.
 */
export function measureChatter(series: Series, d: number, minBend: number): Chatter {
  const { values, dims } = series;
  const samples = countSamples(series);
  const limit = Math.max(minBend, minBendCodes * findSmallestStep(series, d, samples));
  let rows = 0;
  let run = 0;
  let best = 0;
  let bestEnd = 0;
  let before = 0;
  for (let i = 1; i < samples - 1; i++) {
    const at = i * dims + d;
    const bend = values[at + dims] - 2 * values[at] + values[at - dims];
    const large = bend > limit || bend < -limit;
    if (large && bend * before < 0) {
      rows++;
      if (++run > best) {
        best = run;
        bestEnd = i;
      }
    } else run = 0;
    before = large ? bend : 0;
  }
  return {
    share: samples > 0 ? rows / samples : 0,
    longest: { from: bestEnd - best, to: bestEnd, size: best },
    bend: best === 0 ? 0 : computeMeanBend(series, d, bestEnd - best + 1, bestEnd + 1),
  };
}

/** Returns the mean |bend| of rows `from` up to, not including, `to`. */
function computeMeanBend({ values, dims }: Series, d: number, from: number, to: number): number {
  let sum = 0;
  for (let at = from * dims + d; at < to * dims; at += dims)
    sum += Math.abs(values[at + dims] - 2 * values[at] + values[at - dims]);
  return sum / (to - from);
}

/**
 * Returns the smallest non-zero difference between neighbours or next neighbours: one code of a quantized
 * signal; 0 if constant.
 */
function findSmallestStep({ values, dims }: Series, d: number, samples: number): number {
  let smallest = Infinity;
  for (let i = 2; i < samples; i++) {
    const at = i * dims + d;
    const one = Math.abs(values[at] - values[at - dims]);
    const two = Math.abs(values[at] - values[at - 2 * dims]);
    if (one > 0 && one < smallest) smallest = one;
    if (two > 0 && two < smallest) smallest = two;
  }
  return smallest === Infinity ? 0 : smallest;
}

/** Spikes of one dimension: one or two samples that leave the surrounding motion and return at once. */
interface Spikes {
  readonly count: number;
  /** Height of the strongest spike divided by the steps around it. */
  readonly strength: number;
  /** Height of the strongest spike. */
  readonly height: number;
  /** Rows of the spikes, at most 16. */
  readonly rows: readonly number[];
}

/** Minimum height of a spike as a fraction of the range; lower ones cannot be told from noise. */
export const minSpikeHeight = 0.05;
/** Minimum ratio of height to the surrounding steps. */
const minSpikeStrength = 4;
const spikeReach = 5;
/** Maximum difference of the two samples of one spike, as a fraction of its height. */
const maxPairDifference = 0.5;
const maxListedSpikes = 16;
const spikeSteps = new Float64Array(2 * spikeReach);

/**
 * Counts spikes and lists the first 16: one sample, or two similar ones, that stand above or below both neighbours by
 * at least 5 % of `range`, while the steps around are small. `range` is above 0. None is found within 5 samples of
 * either end. Uses no quantile of the whole dimension, so that many spikes do not hide each other.
 */
export function findSpikes(series: Series, d: number, range: number): Spikes {
  const { values, dims } = series;
  const samples = countSamples(series);
  const rows: number[] = [];
  let count = 0;
  let strongest = 0;
  let highest = 0;
  for (let i = spikeReach; i < samples - spikeReach; i++) {
    const at = i * dims + d;
    const height = computeSpikeHeight(values, dims, at);
    if (!(height >= minSpikeHeight * range)) continue;
    const strength = height / (medianStepAround(values, dims, at) + 0.01 * range);
    if (strength < minSpikeStrength) continue;
    count++;
    if (rows.length < maxListedSpikes) rows.push(i);
    if (strength <= strongest) continue;
    strongest = strength;
    highest = height;
  }
  return { count, strength: strongest, height: highest, rows };
}

/**
 * Returns the height of one sample, or two similar ones, above or below both neighbours; 0 if they do not
 * stand out.
 */
function computeSpikeHeight(values: Series['values'], dims: number, at: number): number {
  const into = values[at] - values[at - dims];
  const next = values[at] - values[at + dims];
  if (into * next > 0 && Math.abs(next) > maxPairDifference * Math.abs(into))
    return Math.min(Math.abs(into), Math.abs(next));
  if (Math.abs(next) > maxPairDifference * Math.abs(into)) return 0;
  const outOf = values[at + dims] - values[at + 2 * dims];
  return into * outOf > 0 ? Math.min(Math.abs(into), Math.abs(outOf)) : 0;
}

/** Returns the median step around a spike of up to two samples, excluding its own steps. */
function medianStepAround(values: Series['values'], dims: number, at: number): number {
  let n = 0;
  for (let k = -spikeReach + 1; k <= spikeReach; k++) {
    if (k >= 0 && k <= 2) continue;
    spikeSteps[n++] = Math.abs(values[at + k * dims] - values[at + (k - 1) * dims]);
  }
  const around = spikeSteps.subarray(0, n).sort();
  return around[n >> 1];
}
