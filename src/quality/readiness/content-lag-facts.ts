import { clamp } from '#core';
import type { ReceiptFacts } from '#core/api';
import { type CameraEvidence, type Stream, timesOf } from '#core/episode';
import type { Subject } from './check.ts';
import { interpolatePeakLag } from './features/content-lag.ts';
import { roundFinite } from './features/numeric.ts';

type LagFacts = NonNullable<ReceiptFacts['content_lag']>;

/**
 * Requirements on a correlation peak for its lag to be trusted. Set on generated motion with known lags, and
 * on real Unitree G1 video.
 */
const trustLimits = { peak: 0.5, second_ratio: 0.75, width_s: 0.6, excitation: [0.1, 0.95] } as const;
/** Minimum correlation for a lag between action and state to be reported. */
const minControlPeak = 0.65;

/**
 * Measures how far motion in the pictures of the most reliable camera lags behind the state, else the IMU, and why
 * that is doubtful (`reason`, `null` if sure); `null` if nothing can be compared.
 */
export function computeContentLagFacts(subject: Subject): LagFacts | null {
  const signal = selectSignal(subject);
  const speed = signal === null ? null : traceSpeed(signal);
  if (signal === null || speed === null) return null;
  const found = findCameraPeaks(subject, signal, speed);
  if (found.length === 0) return null;
  const trustedPeaks = found.filter(({ peak }) => findDoubt(peak) === null);
  const pool = trustedPeaks.length > 0 ? trustedPeaks : found;
  const { camera, peak } = pool.reduce((most, next) =>
    takesPrecedence(next, most, trustedPeaks.length > 0) ? next : most,
  );
  const reason = findDoubt(peak);
  return {
    against: signal.id,
    camera,
    cameras: found.length,
    control_delay_ms: computeControlDelay_ms(subject),
    excitation: roundFinite(peak.excitation, 4),
    lag_ms: roundFinite(1000 * peak.lag_s, 4),
    peak: roundFinite(peak.peak, 4),
    reason,
    samples: peak.samples,
    second_ratio: roundFinite(peak.second_ratio, 4),
    step_ms: roundFinite(1000 * peak.step_s, 4),
    sure: reason === null,
    width_ms: roundFinite(1000 * peak.width_s, 4),
  };
}

interface CameraPeak {
  readonly camera: string;
  readonly peak: LagPeak;
}

/**
 * Returns `true` if peak `one` is reported instead of `other`: among trusted peaks the larger lag, among the
 * others the higher correlation.
 */
function takesPrecedence(one: CameraPeak, other: CameraPeak, areTrusted: boolean): boolean {
  return areTrusted ? Math.abs(one.peak.lag_s) > Math.abs(other.peak.lag_s) : one.peak.peak > other.peak.peak;
}

function selectSignal({ episode, features }: Subject): Stream | null {
  const pair = features.pair();
  const numeric = (role: Stream['role']) =>
    episode.streams.find((stream) => stream.role === role && stream.series !== undefined);
  return pair?.state ?? numeric('state') ?? numeric('imu') ?? null;
}

function findCameraPeaks({ episode, cameras }: Subject, signal: Stream, speed: Trace): CameraPeak[] {
  return episode.streams.flatMap((stream) => {
    const evidence = cameras.get(stream.id);
    if (stream.frames === undefined || evidence === undefined) return [];
    const pictures = tracePictures(stream, evidence, timesOf(signal));
    const peak = pictures === null ? null : findLagPeak(pictures, speed);
    return peak === null ? [] : [{ camera: stream.id, peak }];
  });
}

/** Returns the reason why a lag is not trusted; `null` if it is. */
function findDoubt({ peak, second_ratio, width_s, excitation, at_end }: LagPeak): string | null {
  if (at_end) return 'the correlation is still rising at the end of the search range';
  if (peak < trustLimits.peak) return 'images and signals share too little motion';
  if (excitation < trustLimits.excitation[0]) return 'the signals hardly move';
  if (excitation > trustLimits.excitation[1]) return 'the signals move uniformly all the time';
  if (width_s > trustLimits.width_s) return 'the peak of the correlation is broad';
  return second_ratio > trustLimits.second_ratio ? 'another lag fits nearly as well' : null;
}

function computeControlDelay_ms({ features }: Subject): number | null {
  const lag = features.contentLag();
  return lag === null || lag.peak < minControlPeak
    ? null
    : roundFinite(1000 * interpolatePeakLag(lag) * lag.step_s, 4);
}

/** Peak of the cross-correlation of two traces, with measures of its reliability. */
interface LagPeak {
  /** Positive if the pictures come later than the signals. */
  readonly lag_s: number;
  readonly step_s: number;
  readonly peak: number;
  /** Highest correlation outside the peak divided by that of the peak. */
  readonly second_ratio: number;
  /** Width of the peak at half its height above the median. */
  readonly width_s: number;
  /**
   * Fraction of the steps at which the signals move at over a fifth of their fast speed (95th percentile).
   */
  readonly excitation: number;
  readonly samples: number;
  /** `true` if the peak lies at the end of the searched shifts. */
  readonly at_end: boolean;
}

/** Maximum shift that is searched, in either direction. */
const maxShift_s = 1;
const minSamples = 60;
/** Correlations closer than this belong to the peak. */
const minPeakSeparation_s = 0.15;

/**
 * Finds the lag between picture motion and signal speed by normalized rank cross-correlation on the grid of
 * the frames: r(k) = ρ(picture[i], speed[i − k]). The lag is the vertex of the parabola through the highest r
 * and its neighbours. `null` if either has too few samples, too many gaps, or does not vary.
 */
function findLagPeak(pictures: Trace, signals: Trace): LagPeak | null {
  const grid = computeFrameStep_s(pictures.time_s);
  if (grid === null) return null;
  const energy = interpolateGaps(pictures.energy);
  const speed = resampleToFrames(signals, pictures.time_s);
  if (energy === null || speed === null) return null;
  const maxShift = Math.ceil(maxShift_s / grid);
  if (energy.length < Math.max(minSamples, 2 * maxShift + 8)) return null;
  const [pictureRanks, speedRanks] = [smooth(computeRanks(energy)), smooth(computeRanks(speed))];
  const correlation = Array.from({ length: 2 * maxShift + 1 }, (_, k) =>
    correlateAtLag(pictureRanks, speedRanks, k - maxShift),
  );
  if (!correlation.every(Number.isFinite)) return null;
  return {
    ...describePeak(correlation, maxShift, grid),
    excitation: computeExcitation(speed),
    samples: energy.length,
  };
}

/** Returns the median step of the frames; `null` if there are too few frames or too many gaps. */
function computeFrameStep_s(time_s: Float64Array): number | null {
  if (time_s.length < minSamples) return null;
  const steps = time_s.subarray(1).map((time, i) => time - time_s[i]);
  const step_s = steps.toSorted()[steps.length >> 1];
  const gaps = steps.filter((step) => step > 1.75 * step_s || !(step > 0)).length;
  return step_s > 0 && gaps < 0.02 * steps.length ? step_s : null;
}

/**
 * Fills frames without a value (key frames) with the mean of their neighbours; `null` if more than 60 % have
 * none.
 */
function interpolateGaps(energy: Float64Array): Float64Array | null {
  const out = Float64Array.from(energy);
  let missing = 0;
  for (let i = 0; i < out.length; i++) {
    if (Number.isFinite(out[i])) continue;
    missing++;
    const [before, after] = [out[i - 1] ?? Number.NaN, energy[i + 1] ?? Number.NaN];
    out[i] = Number.isFinite(before) ? (Number.isFinite(after) ? (before + after) / 2 : before) : after;
    if (!Number.isFinite(out[i])) out[i] = 0;
  }
  return missing > 0.6 * out.length ? null : out;
}

/**
 * Averages the speed over the step that ends at each frame, the interval that the frame difference covers.
 * `null` if there are no samples.
 */
function resampleToFrames({ time_s, energy }: Trace, frames_s: Float64Array): Float64Array | null {
  const n = time_s.length;
  if (n === 0) return null;
  const out = new Float64Array(frames_s.length);
  let row = 0;
  for (let i = 0; i < frames_s.length; i++) {
    let sum = 0;
    let count = 0;
    while (row < n && time_s[row] <= frames_s[i] + 1e-9) {
      sum += energy[row++];
      count++;
    }
    out[i] = count > 0 ? sum / count : (energy[Math.min(row, n - 1)] ?? 0);
  }
  return out;
}

/** Computes ranks from 0; equal values share the mean of their ranks. */
function computeRanks(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b] || a - b);
  const ranks = new Float64Array(order.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to - 1) / 2;
  }
  return ranks;
}

/** Smooths with weights 1, 2, 1, since video encoders spread the bits of one change over two frames. */
function smooth(values: Float64Array): Float64Array {
  const last = values.length - 1;
  return values.map(
    (value, i) => (values[Math.max(0, i - 1)] + 2 * value + values[Math.min(last, i + 1)]) / 4,
  );
}

function correlateAtLag(a: Float64Array, b: Float64Array, lag: number): number {
  const from = Math.max(1, lag + 1);
  const to = Math.min(a.length, b.length + lag);
  const n = to - from;
  let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0];
  for (let i = from; i < to; i++) {
    const [x, y] = [a[i], b[i - lag]];
    sa += x;
    sb += y;
    saa += x * x;
    sbb += y * y;
    sab += x * y;
  }
  const spread = Math.sqrt((saa - (sa * sa) / n) * (sbb - (sb * sb) / n));
  return spread > 0 ? (sab - (sa * sb) / n) / spread : Number.NaN;
}

function describePeak(correlation: readonly number[], maxShift: number, step_s: number) {
  let best = 0;
  for (let k = 1; k < correlation.length; k++) if (correlation[k] > correlation[best]) best = k;
  const peak = correlation[best];
  const half = (peak + correlation.toSorted((a, b) => a - b)[correlation.length >> 1]) / 2;
  let [from, to] = [best, best];
  while (from > 0 && correlation[from - 1] >= half) from--;
  while (to < correlation.length - 1 && correlation[to + 1] >= half) to++;
  const minDistance_steps = Math.max(minPeakSeparation_s / step_s, 1);
  const others = correlation.filter(
    (_, k) => (k < from || k > to) && Math.abs(k - best) >= minDistance_steps,
  );
  const [before, after] = [correlation[best - 1] ?? peak, correlation[best + 1] ?? peak];
  const bend = before - 2 * peak + after;
  const shift = bend < 0 ? clamp((before - after) / (2 * bend), -0.5, 0.5) : 0;
  return {
    lag_s: (best - maxShift + shift) * step_s,
    step_s,
    peak,
    second_ratio: others.length === 0 || peak <= 0 ? 1 : Math.max(0, ...others) / peak,
    width_s: (to - from + 1) * step_s,
    at_end: best < 2 || best > correlation.length - 3,
  };
}

function computeExcitation(speed: Float64Array): number {
  const fast = speed.toSorted()[Math.floor(0.95 * (speed.length - 1))];
  if (!(fast > 0)) return 0;
  return speed.filter((value) => value > 0.2 * fast).length / speed.length;
}

/**
 * Amount of motion in the step up to each time, in seconds since the episode's start; NaN where it is
 * unknown.
 */
interface Trace {
  readonly time_s: Float64Array;
  readonly energy: Float64Array;
}

/**
 * Measures how much the pictures change from frame to frame: bytes of predicted packets, else the mean
 * difference of decoded neighbours. `rows_s` are the times of the table whose rows are the frames; used if
 * the counts match. `null` if the frames have no times.
 */
function tracePictures(
  stream: Stream,
  { coded, container, sampled }: CameraEvidence,
  rows_s: Float64Array | null,
): Trace | null {
  if (coded === null) {
    const energy = Float64Array.from(sampled.difference);
    return energy.length === 0 ? null : { time_s: sampled.time_s, energy };
  }
  const frames = coded.bytes.length;
  const energy = Float64Array.from(coded.bytes, (bytes, i) =>
    coded.key[i] === 1 || i === 0 ? Number.NaN : bytes,
  );
  if (rows_s !== null && Math.abs(rows_s.length - frames) <= 1 && rows_s.length >= frames)
    return { time_s: rows_s.subarray(0, frames), energy };
  const locator = stream.frames?.locator;
  if (container?.first_pts_s == null || container.last_pts_s == null || locator?.type !== 'video')
    return null;
  if (locator.unstamped === true || frames < 2) return null;
  const first_s = container.first_pts_s - locator.from_s;
  const step_s = (container.last_pts_s - container.first_pts_s) / (frames - 1);
  return { time_s: Float64Array.from({ length: frames }, (_, i) => first_s + i * step_s), energy };
}

/**
 * Computes the speed of a numeric stream: the sum over its dimensions of |step| / range. IMU values are taken
 * as speeds already, relative to their mean. `null` if nothing moves.
 */
function traceSpeed(stream: Stream): Trace | null {
  const time_s = timesOf(stream);
  if (stream.series === undefined || time_s === null || time_s.length < 2) return null;
  const { values, dims } = stream.series;
  const rows = Math.min(time_s.length, dims === 0 ? 0 : Math.floor(values.length / dims));
  const energy = new Float64Array(rows);
  let moves = false;
  for (let d = 0; d < dims; d++) {
    const { low, high, mean } = computeColumnRange(values, d, dims, rows);
    const range = high - low;
    if (!(range > 1e-9 && range < Infinity)) continue;
    moves = true;
    for (let i = 1; i < rows; i++) {
      const value = values[i * dims + d];
      const step = stream.role === 'imu' ? value - mean : value - values[(i - 1) * dims + d];
      if (Number.isFinite(step)) energy[i] += Math.abs(step) / range;
    }
  }
  return moves ? { time_s: time_s.subarray(0, rows), energy } : null;
}

function computeColumnRange(values: ArrayLike<number>, d: number, dims: number, rows: number) {
  let [low, high, sum] = [Infinity, -Infinity, 0];
  for (let i = 0; i < rows; i++) {
    const value = values[i * dims + d];
    low = Math.min(low, value);
    high = Math.max(high, value);
    sum += value;
  }
  return { low, high, mean: sum / rows };
}
