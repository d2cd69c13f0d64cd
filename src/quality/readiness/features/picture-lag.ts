import type { CodedFrames, Stream } from '#core/episode';

/** Maximum lag in frames between pictures and signals, in either direction. */
export const maxLagFrames = 20;
/** Minimum number of predicted frames for a lag. */
const minPredictedFrames = 12;

/**
 * Returns the correlation of picture change with signal speed at lags from −`maxLagFrames` to `maxLagFrames` frames;
 * `null` if rows are not frames, or nothing moves. Negative lags have the pictures ahead. Rank correlation (Spearman)
 * of the bytes of predicted frames with the sum of |step| / range, because motion of the whole arm costs many times
 * the bytes of motion of the wrist.
 */
export function correlatePictures({ bytes, key }: CodedFrames, signals: readonly Stream[]): number[] | null {
  const speed = computeSpeed(signals, bytes.length);
  if (speed === null) return null;
  const predicted = listPredicted(key);
  if (predicted.length < minPredictedFrames + maxLagFrames) return null;
  const sizes = computeRanks(predicted.map((i) => bytes[i]));
  const speeds = computeRanks(speed);
  const lags = Array.from({ length: 2 * maxLagFrames + 1 }, (_, k) => {
    const lag = k - maxLagFrames;
    const inside = [...predicted.keys()].filter(
      (p) => predicted[p] - lag > 0 && predicted[p] - lag < speeds.length,
    );
    return pearson(
      inside.map((p) => sizes[p]),
      inside.map((p) => speeds[predicted[p] - lag]),
    );
  });
  return lags.every(Number.isFinite) ? smooth(lags) : null;
}

/**
 * Returns the correlation of the picture change of two cameras at lags from −`maxLagFrames` to `maxLagFrames` frames;
 * `null` if they differ in length, nothing changes, or coding hides the motion in the bytes of one. Negative lags have
 * `other` ahead. Rank correlation of the bytes of predicted frames; key frames, whose bytes show the scene, take the
 * mean of the predicted frames beside them.
 */
export function correlateCameras(one: CodedFrames, other: CodedFrames): number[] | null {
  const frames = one.bytes.length;
  if (other.bytes.length !== frames || frames < minPredictedFrames + maxLagFrames) return null;
  const [first, second] = [rankChange(one), rankChange(other)];
  if (first === null || second === null) return null;
  const lags = Array.from({ length: 2 * maxLagFrames + 1 }, (_, k) => {
    const lag = k - maxLagFrames;
    const from = Math.max(0, -lag);
    const to = Math.min(frames, frames - lag);
    return pearson(first.subarray(from, to), second.subarray(from + lag, to + lag));
  });
  return lags.every(Number.isFinite) ? lags : null;
}

/**
 * Minimum correlation of neighbouring frames. Motion lasts for many frames: 0.85 to 0.94 in 36 videos without B-frames. With
 * one or two B-frames, whose bytes are a fraction of those of the frame behind them, it is −0.43 to 0.27 (72 videos).
 */
const minNeighbourCorrelation = 0.5;

/** Computes the rank of each frame's change; `null` if too few frames are predicted, or neighbours do not agree. */
function rankChange({ bytes, key }: CodedFrames): Float64Array | null {
  const predicted = listPredicted(key);
  if (predicted.length < minPredictedFrames) return null;
  const ranks = computeRanks(predicted.map((i) => bytes[i]));
  const all = new Float64Array(bytes.length);
  for (let i = 0, next = 0; i < all.length; i++) {
    if (predicted[next] === i) {
      all[i] = ranks[next++];
    } else {
      const before = Math.max(0, next - 1);
      all[i] = (ranks[before] + ranks[Math.min(next, ranks.length - 1)]) / 2;
    }
  }
  const neighbours = pearson(all.subarray(0, -1), all.subarray(1));
  return neighbours >= minNeighbourCorrelation ? all : null;
}

/** Rows of one block of `sumLagProducts`: long enough for one motion, short enough to place a step. */
const blockRows = 24;
const maxBlocks = 12;

/**
 * Sums the products of standardised ranks of picture change and signal speed, block by block of the episode, with one
 * sum per lag from `from` to `to`; `null` if nothing moves or no frame counts. Lags are in frames, positive if
 * pictures are behind. A frame counts only if it has a row at every lag, so that all sums of a block cover the same
 * frames.
 */
export function sumLagProducts(
  { bytes, key }: CodedFrames,
  signals: readonly Stream[],
  from: number,
  to: number,
): number[] | null {
  const speed = computeSpeed(signals, Math.max(bytes.length, ...signals.map((s) => s.sample_count)));
  const predicted = listPredicted(key);
  if (speed === null || predicted.length < minPredictedFrames) return null;
  const sizes = standardise(computeRanks(predicted.map((i) => bytes[i])));
  const speeds = standardise(computeRanks(smooth([...speed])));
  const blocks = Math.min(maxBlocks, Math.max(1, Math.round(bytes.length / blockRows)));
  const lags = to - from + 1;
  const sums = new Array<number>(blocks * lags).fill(0);
  let counted = 0;
  predicted.forEach((frame, p) => {
    if (frame - to < 1 || frame - from >= speed.length) return;
    counted++;
    const block = Math.floor((frame * blocks) / bytes.length);
    for (let k = 0; k < lags; k++) sums[block * lags + k] += sizes[p] * speeds[frame - from - k];
  });
  return counted === 0 || !sums.every(Number.isFinite) ? null : sums;
}

function listPredicted(key: Uint8Array): number[] {
  const predicted: number[] = [];
  for (let i = 1; i < key.length; i++) if (key[i] === 0) predicted.push(i);
  return predicted;
}

function standardise(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return values.map((value) => (value - mean) / deviation);
}

/** Smooths with weights 1, 2, 1: if every second frame is a key frame, every second lag has its own noise. */
function smooth(lags: readonly number[]): number[] {
  return lags.map(
    (lag, k) => (lags[Math.max(0, k - 1)] + 2 * lag + lags[Math.min(lags.length - 1, k + 1)]) / 4,
  );
}

function computeSpeed(signals: readonly Stream[], rows: number): Float64Array | null {
  const speed = new Float64Array(rows);
  let hasMotion = false;
  for (const { series, sample_count } of signals) {
    if (series === undefined || Math.abs(sample_count - rows) > 1) continue;
    const { values, dims } = series;
    for (let d = 0; d < dims; d++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = d; i < values.length; i += dims) {
        if (values[i] < low) low = values[i];
        if (values[i] > high) high = values[i];
      }
      const range = high - low;
      if (!(range > 1e-9 && range < Infinity)) continue;
      hasMotion = true;
      for (let i = 1; i < Math.min(rows, sample_count); i++) {
        const step = values[i * dims + d] - values[(i - 1) * dims + d];
        if (Number.isFinite(step)) speed[i] += Math.abs(step) / range;
      }
    }
  }
  return hasMotion ? speed : null;
}

/** Computes ranks from 0; equal values share the mean of their ranks. */
function computeRanks(values: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(order.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to - 1) / 2;
  }
  return ranks;
}

/** Computes Pearson's correlation; NaN if either does not vary. */
function pearson(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const n = a.length;
  let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    sa += a[i];
    sb += b[i];
    saa += a[i] * a[i];
    sbb += b[i] * b[i];
    sab += a[i] * b[i];
  }
  const spread = Math.sqrt((saa - (sa * sa) / n) * (sbb - (sb * sb) / n));
  return spread > 0 ? (sab - (sa * sb) / n) / spread : Number.NaN;
}
