import { type Stream, type StreamRole, timesOf } from '#core/episode';
import type { Description, Descriptor, DescriptorInput, Span } from './descriptor.ts';
import { unitVector } from './descriptor.ts';

/** Stream roles that hold a trajectory, by priority: the first group with numeric streams is used. */
const trajectories: readonly (readonly StreamRole[])[] = [
  ['state'],
  ['action'],
  ['odometry', 'attitude', 'gnss', 'vehicle', 'imu'],
];
/** Number of equal time steps at which the trajectory is sampled. */
const steps = 64;
/** Feature hashing: dimension k is added to slot k mod 16, with alternating sign in each round of 16. */
const slots = 16;
/** Samples of the path per slot, and bins of the speed. */
const points = 8;
const speeds = 16;
/** Dimensions used per stream; a stream may have thousands, such as a flattened image. */
const maxDimensions = 256;

/**
 * Describes the trajectory of an episode: `[path 16×8, level and winding 2×16, speed 16]`.
 *
 * Each dimension x is read at 65 equal steps t₀…t₆₄ (the nearest earlier finite sample). With range R = max x − min x
 * and noise m = median |x(tᵢ₊₁) − 2x(tᵢ) + x(tᵢ₋₁)|, its weight is w = max(0, 1 − 4m/R), which is near 1 for motion and
 * 0 for noise. Path: w·(x(t) − x(t₀))/R at eight steps. Level: x̄/(|x̄| + R). Winding: w·L/(L + R), L = Σ|Δx|. Speed:
 * Σ w·|Δx|/R over all dimensions, in sixteen parts of the time. The three blocks have 60, 25 and 15 % of the squared
 * length. The vector does not depend on scale and duration. Episodes with different dimensions have different layouts.
 */
export const motion: Descriptor = {
  id: 'motion',
  version: 1,
  dims: slots * points + 2 * slots + speeds,
  says: 'shape of the recorded trajectory: which joints or axes moved where, and how fast. Not which object was handled.',
  describe,
};

function describe({ episode }: DescriptorInput, span: Span | null): Description {
  const streams = selectTrajectory(episode.streams);
  if (streams.length === 0) return { reason: 'no state, action or pose stream with at least two samples' };
  const path = new Float64Array(slots * points);
  const shape = new Float64Array(2 * slots);
  const speed = new Float64Array(speeds);
  let dimensionIndex = 0;
  for (const stream of streams) {
    const rows = selectRows(stream, span);
    if (rows === null) return { reason: `${stream.id} has no samples in this time range` };
    const dims = Math.min(stream.series!.dims, maxDimensions);
    for (let d = 0; d < dims; d++)
      addDimension(readDimension(stream, rows, d), dimensionIndex++, { path, shape, speed });
  }
  const vector = unitVector([
    { values: path, weight: 0.6 },
    { values: shape, weight: 0.25 },
    { values: speed, weight: 0.15 },
  ]);
  if (vector === null) return { reason: 'all values are zero or non-finite' };
  return { vector, layout: streams.map(({ role, series }) => `${role} ${series!.dims}`).join(', ') };
}

/**
 * Returns the trajectory streams, sorted by id so that the order in a file does not matter; empty if there are none.
 */
function selectTrajectory(streams: readonly Stream[]): Stream[] {
  for (const roles of trajectories) {
    const found = streams.filter(
      ({ role, series, sample_count, event_driven }) =>
        roles.includes(role) && series !== undefined && series.dims > 0 && sample_count > 1 && !event_driven,
    );
    if (found.length > 0) return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
  return [];
}

/**
 * Returns the row at each of 65 equal time steps, or at equal row steps without a clock. Null if the span has no row
 * or no clock.
 */
function selectRows(stream: Stream, span: Span | null): Int32Array | null {
  const count = stream.series!.values.length / stream.series!.dims;
  const times = timesOf(stream);
  const rows = new Int32Array(steps + 1);
  if (times === null) {
    if (span !== null) return null;
    for (let i = 0; i <= steps; i++) rows[i] = Math.floor(((count - 1) * i) / steps);
    return rows;
  }
  const [from, to] = span === null ? [times[0], times[count - 1]] : [span.from_s, span.to_s];
  if (!(times[count - 1] >= from && times[0] <= to)) return null;
  let row = 0;
  for (let i = 0; i <= steps; i++) {
    const at = from + ((to - from) * i) / steps;
    while (row + 1 < count && times[row + 1] <= at) row++;
    rows[i] = row;
  }
  return rows;
}

/**
 * Reads one dimension at these rows; replaces values that are not finite by the last finite one. Null if none is
 * finite.
 */
function readDimension({ series }: Stream, rows: Int32Array, d: number): Float64Array | null {
  const { values, dims } = series!;
  const read = Float64Array.from(rows, (row) => values[row * dims + d]);
  let last = read.find((value) => value - value === 0);
  if (last === undefined) return null;
  for (const [i, value] of read.entries()) {
    if (value - value === 0) last = value;
    else read[i] = last;
  }
  return read;
}

interface Sums {
  readonly path: Float64Array;
  readonly shape: Float64Array;
  readonly speed: Float64Array;
}

function addDimension(x: Float64Array | null, dimensionIndex: number, { path, shape, speed }: Sums): void {
  if (x === null) return;
  const slot = dimensionIndex % slots;
  const sign = Math.floor(dimensionIndex / slots) % 2 === 0 ? 1 : -1;
  // Divide before summing, so that the sum of 65 very large values stays finite.
  const mean = x.reduce((sum, value) => sum + value / x.length, 0);
  const range =
    x.reduce((highest, value) => Math.max(highest, value), x[0]) -
    x.reduce((lowest, value) => Math.min(lowest, value), x[0]);
  shape[slot] += sign * ratio(mean, Math.abs(mean) + range);
  if (!(range > 0) || range - range !== 0) return;
  const weight = Math.max(0, 1 - (4 * estimateNoise(x)) / range);
  let length = 0;
  for (let i = 1; i <= steps; i++) {
    const step = Math.abs(x[i] - x[i - 1]) / range;
    length += step;
    speed[Math.floor(((i - 1) * speeds) / steps)] += weight * step;
  }
  shape[slots + slot] += sign * weight * ratio(length, length + 1);
  for (let p = 0; p < points; p++)
    path[slot * points + p] += sign * weight * ((x[((p + 1) * steps) / points] - x[0]) / range);
}

const ratio = (part: number, whole: number): number => {
  const one = part / whole;
  return one - one === 0 ? one : 0;
};

/** Estimates noise as the median of the absolute second differences. */
function estimateNoise(x: Float64Array): number {
  const bends = new Float64Array(x.length - 2);
  for (let i = 0; i < bends.length; i++) bends[i] = Math.abs(x[i + 2] - x[i + 1] - (x[i + 1] - x[i]));
  return bends.sort()[bends.length >> 1];
}
