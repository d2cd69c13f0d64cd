import type { CodedFrames, Stream } from '#core/episode';

/** Frames by which pictures are looked for ahead of the signals and behind them. */
const lagReach = 20;
/** Fewer predicted frames or rows place no lag. */
const fewest = 12;

/**
 * Correlates by rank (Spearman's), over a table whose rows are the frames, the bytes of every predicted frame (what
 * changed in the picture) with the speed of the signals (sum of the steps, each by the range of its dimension), the
 * pictures `lagReach` frames ahead first and `lagReach` behind last. By rank, since a motion of the whole arm costs many
 * times the bytes of one of the wrist. Null where the rows are not the frames, or nothing moves.
 */
export function pictureLags({ bytes, key }: CodedFrames, signals: readonly Stream[]): number[] | null {
  const speed = speedOf(signals, bytes.length);
  if (speed === null) return null;
  const predicted: number[] = [];
  for (let i = 1; i < bytes.length; i++) if (key[i] === 0) predicted.push(i);
  if (predicted.length < fewest + lagReach) return null;
  const sizes = ranksOf(predicted.map((i) => bytes[i]));
  const speeds = ranksOf(speed);
  const lags = Array.from({ length: 2 * lagReach + 1 }, (_, k) => {
    const lag = k - lagReach;
    const inside = [...predicted.keys()].filter(
      (p) => predicted[p] - lag > 0 && predicted[p] - lag < speeds.length,
    );
    return correlate(
      inside.map((p) => sizes[p]),
      inside.map((p) => speeds[predicted[p] - lag]),
    );
  });
  return lags.every(Number.isFinite) ? smooth(lags) : null;
}

/** Where every second frame is a key frame, every second lag has noise of its own; a peak is wider. */
function smooth(lags: readonly number[]): number[] {
  return lags.map(
    (lag, k) => (lags[Math.max(0, k - 1)] + 2 * lag + lags[Math.min(lags.length - 1, k + 1)]) / 4,
  );
}

function speedOf(signals: readonly Stream[], rows: number): Float64Array | null {
  const speed = new Float64Array(rows);
  let any = false;
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
      any = true;
      for (let i = 1; i < Math.min(rows, sample_count); i++) {
        const step = values[i * dims + d] - values[(i - 1) * dims + d];
        if (Number.isFinite(step)) speed[i] += Math.abs(step) / range;
      }
    }
  }
  return any ? speed : null;
}

/** Equal values share the middle of their ranks. */
function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(order.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to - 1) / 2;
  }
  return ranks;
}

/** Pearson's; NaN where one of them does not vary. */
function correlate(a: ArrayLike<number>, b: ArrayLike<number>): number {
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
