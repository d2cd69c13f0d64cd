import { clamp } from '#core';
import type { Trace } from './motion-traces.ts';

/** Where the correlation of two traces peaks, and how far that can be trusted. */
export interface LagPeak {
  /** Positive: the pictures come later than the signals. */
  readonly lag_s: number;
  readonly step_s: number;
  readonly peak: number;
  /** The best correlation outside the peak over that of the peak. */
  readonly second_ratio: number;
  /** Of the peak, at half its height above the median. */
  readonly width_s: number;
  /** Share of the steps at which the signals move at over a fifth of their fast speed. */
  readonly excitation: number;
  readonly samples: number;
  /** The peak lies at the end of what was searched. */
  readonly at_end: boolean;
}

/** Shifts that are searched, either way. */
const reach_s = 1;
const fewest = 60;
/** What lies closer belongs to the peak. */
const apart_s = 0.15;

/**
 * Normalised cross-correlation, by rank, of what moves in the pictures with the speed of the signals, on the grid of the
 * frames: r(k) = ρ(picture[i], speed[i − k]). The lag is the vertex of the parabola through the highest r and its
 * neighbours. Null where there is too little of either, or nothing varies.
 */
export function lagPeak(pictures: Trace, signals: Trace): LagPeak | null {
  const grid = gridOf(pictures.time_s);
  if (grid === null) return null;
  const energy = bridged(pictures.energy);
  const speed = onGrid(signals, pictures.time_s);
  if (energy === null || speed === null) return null;
  const reach = Math.ceil(reach_s / grid);
  if (energy.length < Math.max(fewest, 2 * reach + 8)) return null;
  const [moved, moving] = [smoothed(ranksOf(energy)), smoothed(ranksOf(speed))];
  const correlation = Array.from({ length: 2 * reach + 1 }, (_, k) => correlate(moved, moving, k - reach));
  if (!correlation.every(Number.isFinite)) return null;
  return { ...peakOf(correlation, reach, grid), excitation: excitationOf(speed), samples: energy.length };
}

/** Median step of the frames; null where they do not follow each other. */
function gridOf(time_s: Float64Array): number | null {
  if (time_s.length < fewest) return null;
  const steps = time_s.subarray(1).map((time, i) => time - time_s[i]);
  const step_s = steps.toSorted()[steps.length >> 1];
  const gaps = steps.filter((step) => step > 1.75 * step_s || !(step > 0)).length;
  return step_s > 0 && gaps < 0.02 * steps.length ? step_s : null;
}

/** Single frames without a value (key frames) take that of their neighbours; null where too many have none. */
function bridged(energy: Float64Array): Float64Array | null {
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

/** Mean speed within the step that ends at each frame: what the difference to the frame before saw. */
function onGrid({ time_s, energy }: Trace, frames_s: Float64Array): Float64Array | null {
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

/** Equal values share the middle of their ranks. */
function ranksOf(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b] || a - b);
  const ranks = new Float64Array(order.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to - 1) / 2;
  }
  return ranks;
}

/** Over three steps, the middle one twice: coders spread the bits of one change over two frames. */
function smoothed(values: Float64Array): Float64Array {
  const last = values.length - 1;
  return values.map(
    (value, i) => (values[Math.max(0, i - 1)] + 2 * value + values[Math.min(last, i + 1)]) / 4,
  );
}

function correlate(a: Float64Array, b: Float64Array, lag: number): number {
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

function peakOf(correlation: readonly number[], reach: number, step_s: number) {
  let best = 0;
  for (let k = 1; k < correlation.length; k++) if (correlation[k] > correlation[best]) best = k;
  const peak = correlation[best];
  const half = (peak + correlation.toSorted((a, b) => a - b)[correlation.length >> 1]) / 2;
  let [from, to] = [best, best];
  while (from > 0 && correlation[from - 1] >= half) from--;
  while (to < correlation.length - 1 && correlation[to + 1] >= half) to++;
  const apart = Math.max(apart_s / step_s, 1);
  const others = correlation.filter((_, k) => (k < from || k > to) && Math.abs(k - best) >= apart);
  const [before, after] = [correlation[best - 1] ?? peak, correlation[best + 1] ?? peak];
  const bend = before - 2 * peak + after;
  const shift = bend < 0 ? clamp((before - after) / (2 * bend), -0.5, 0.5) : 0;
  return {
    lag_s: (best - reach + shift) * step_s,
    step_s,
    peak,
    second_ratio: others.length === 0 || peak <= 0 ? 1 : Math.max(0, ...others) / peak,
    width_s: (to - from + 1) * step_s,
    at_end: best < 2 || best > correlation.length - 3,
  };
}

function excitationOf(speed: Float64Array): number {
  const fast = speed.toSorted()[Math.floor(0.95 * (speed.length - 1))];
  if (!(fast > 0)) return 0;
  return speed.filter((value) => value > 0.2 * fast).length / speed.length;
}
