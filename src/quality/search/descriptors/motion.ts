import { type Stream, type StreamRole, timesOf } from '#core/episode';
import type { Described, Description, Descriptor, Span } from '../descriptor.ts';
import { unitVector } from '../unit-vector.ts';

/** The first of these that an episode has numbers of is its trajectory. */
const trajectories: readonly (readonly StreamRole[])[] = [
  ['state'],
  ['action'],
  ['odometry', 'attitude', 'gnss', 'vehicle', 'imu'],
];
/** Equal steps in time that the trajectory is read at. */
const steps = 64;
/** Dimensions share so many slots: the k-th lies in slot k mod 16, turned round every other time (feature hashing). */
const slots = 16;
/** Points of the path in each slot, and of the speed. */
const points = 8;
const speeds = 16;
/** A stream may have thousands of dimensions: images flattened into one, say. */
const mostDimensions = 256;

/**
 * The trajectory of an episode: `[path 16×8, level and winding 2×16, speed 16]`.
 *
 * Each dimension x is read at 65 equal steps t₀…t₆₄ (the nearest earlier finite sample). With range R = max x − min x
 * and noise m = median |x(tᵢ₊₁) − 2x(tᵢ) + x(tᵢ₋₁)|, its weight is w = max(0, 1 − 4m/R), which is near 1 for motion and
 * 0 for noise. Path: w·(x(t) − x(t₀))/R at eight steps. Level: x̄/(|x̄| + R). Winding: w·L/(L + R), L = Σ|Δx|. Speed:
 * Σ w·|Δx|/R over all dimensions, in sixteen parts of the time. The three blocks have 60, 25 and 15 % of the squared
 * length. Scale and duration leave no trace; where two episodes have other dimensions, nothing is compared (`layout`).
 */
export const motion: Descriptor = {
  id: 'motion',
  version: 1,
  dims: slots * points + 2 * slots + speeds,
  says: 'the shape of the recorded path: which joints or axes moved where, and how fast when. Not what was done to what.',
  describe,
};

function describe({ episode }: Described, span: Span | null): Description {
  const streams = trajectoryOf(episode.streams);
  if (streams.length === 0)
    return { reason: 'no stream of states, actions or poses with at least two samples' };
  const path = new Float64Array(slots * points);
  const shape = new Float64Array(2 * slots);
  const speed = new Float64Array(speeds);
  let place = 0;
  for (const stream of streams) {
    const rows = rowsAt(stream, span);
    if (rows === null) return { reason: `no sample of ${stream.id} lies between these times` };
    const dims = Math.min(stream.series!.dims, mostDimensions);
    for (let d = 0; d < dims; d++) addDimension(readAt(stream, rows, d), place++, { path, shape, speed });
  }
  const vector = unitVector([
    { values: path, weight: 0.6 },
    { values: shape, weight: 0.25 },
    { values: speed, weight: 0.15 },
  ]);
  if (vector === null) return { reason: 'all of its numbers are zero, or none is finite' };
  return { vector, layout: streams.map(({ role, series }) => `${role} ${series!.dims}`).join(', ') };
}

/** In the order of their ids, so that the order in a file does not matter. */
function trajectoryOf(streams: readonly Stream[]): Stream[] {
  for (const roles of trajectories) {
    const found = streams.filter(
      ({ role, series, sample_count, event_driven }) =>
        roles.includes(role) && series !== undefined && series.dims > 0 && sample_count > 1 && !event_driven,
    );
    if (found.length > 0) return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
  return [];
}

/** The row at each of the equal steps; rows stand for times where there is no clock. Null where none is in the span. */
function rowsAt(stream: Stream, span: Span | null): Int32Array | null {
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

/** One dimension at those rows; where a value is not finite, the last one that was. Null where none is. */
function readAt({ series }: Stream, rows: Int32Array, d: number): Float64Array | null {
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

function addDimension(x: Float64Array | null, place: number, { path, shape, speed }: Sums): void {
  if (x === null) return;
  const slot = place % slots;
  const sign = Math.floor(place / slots) % 2 === 0 ? 1 : -1;
  // Halves and quarters first: the sum of 65 values as large as numbers get must stay finite.
  const mean = x.reduce((sum, value) => sum + value / x.length, 0);
  const range =
    x.reduce((most, value) => Math.max(most, value), x[0]) -
    x.reduce((least, value) => Math.min(least, value), x[0]);
  shape[slot] += sign * ratio(mean, Math.abs(mean) + range);
  if (!(range > 0) || range - range !== 0) return;
  const weight = Math.max(0, 1 - (4 * noiseOf(x)) / range);
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

/** Median of the absolute second differences. */
function noiseOf(x: Float64Array): number {
  const bends = new Float64Array(x.length - 2);
  for (let i = 0; i < bends.length; i++) bends[i] = Math.abs(x[i + 2] - x[i + 1] - (x[i + 1] - x[i]));
  return bends.sort()[bends.length >> 1];
}
