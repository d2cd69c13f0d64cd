import { type CameraEvidence, type Stream, timesOf } from '#core/episode';

/** How much moved up to each of some times, in seconds since the episode's start; NaN where nothing tells. */
export interface Trace {
  readonly time_s: Float64Array;
  readonly energy: Float64Array;
}

/**
 * How much changed in the pictures from one frame to the next: bytes of the packets of predicted frames, else the mean
 * difference of decoded neighbours. `rows_s`: times of the table whose rows are the frames, where they are.
 */
export function pictureTrace(
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

/** Speed of a numeric stream: steps of its dimensions, each by its range, summed; an IMU's values are speeds already. */
export function speedTrace(stream: Stream): Trace | null {
  const time_s = timesOf(stream);
  if (stream.series === undefined || time_s === null || time_s.length < 2) return null;
  const { values, dims } = stream.series;
  const rows = Math.min(time_s.length, dims === 0 ? 0 : Math.floor(values.length / dims));
  const energy = new Float64Array(rows);
  let moves = false;
  for (let d = 0; d < dims; d++) {
    const { low, high, mean } = rangeOf(values, d, dims, rows);
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

function rangeOf(values: ArrayLike<number>, d: number, dims: number, rows: number) {
  let [low, high, sum] = [Infinity, -Infinity, 0];
  for (let i = 0; i < rows; i++) {
    const value = values[i * dims + d];
    low = Math.min(low, value);
    high = Math.max(high, value);
    sum += value;
  }
  return { low, high, mean: sum / rows };
}
