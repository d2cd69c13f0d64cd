import type { Random } from '#core';
import {
  type Clock,
  type Episode,
  type Frames,
  type Series,
  type Stream,
  type StreamRole,
  timesOf,
} from '#core/episode';
import type { FaultSize } from './fault.ts';

/** Returns the numeric streams of a role. */
export function streamsOf(episode: Episode, role: StreamRole): Stream[] {
  return episode.streams.filter((stream) => stream.role === role && stream.series !== undefined);
}

/**
 * Returns the state stream and the streams that a changed joint convention affects: state and action (small), action
 * only (medium), state only (large). `null` unless both exist with the same number of dimensions.
 */
export function conventionStreams(
  episode: Episode,
  size: FaultSize,
): { readonly state: Stream; readonly affected: readonly Stream[] } | null {
  const [state] = streamsOf(episode, 'state');
  const [action] = streamsOf(episode, 'action');
  if (state === undefined || action === undefined || state.series!.dims !== action.series!.dims) return null;
  return { state, affected: { small: [state, action], medium: [action], large: [state] }[size] };
}

/** Returns the numeric state and action streams; if there are none, every numeric stream with a clock. */
export function signalsOf(episode: Episode): Stream[] {
  const own = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')];
  if (own.length > 0) return own;
  return episode.streams.filter((stream) => stream.series !== undefined && stream.clock !== null);
}

/** Returns a copy of a numeric stream whose values were edited in place by `change`. */
export function withValues(
  stream: Stream,
  change: (values: Float32Array | Float64Array, dims: number) => void,
): Stream {
  const series = stream.series as Series;
  const values = series.values.slice();
  change(values, series.dims);
  return { ...stream, series: { values, dims: series.dims } };
}

/** Returns the episode with streams replaced by those of the same id. */
export function replaceStreams(episode: Episode, changed: readonly Stream[]): Episode {
  const byId = new Map(changed.map((stream) => [stream.id, stream]));
  return { ...episode, streams: episode.streams.map((stream) => byId.get(stream.id) ?? stream) };
}

/** Returns the stream with only the samples for which `keep` is true, in values, clocks and embedded payloads. */
export function keepSamples(stream: Stream, keep: (index: number) => boolean): Stream {
  const keptIndexes: number[] = [];
  for (let i = 0; i < stream.sample_count; i++) if (keep(i)) keptIndexes.push(i);
  const clocks = stream.clocks.map(
    (clock): Clock => ({ ...clock, time_s: Float64Array.from(keptIndexes, (i) => clock.time_s[i]) }),
  );
  const out: Stream = { ...stream, clocks, sample_count: keptIndexes.length };
  if (stream.series !== undefined) {
    const { values, dims } = stream.series;
    const fewer =
      values instanceof Float32Array
        ? new Float32Array(keptIndexes.length * dims)
        : new Float64Array(keptIndexes.length * dims);
    keptIndexes.forEach((from, to) => {
      fewer.set(values.subarray(from * dims, (from + 1) * dims), to * dims);
    });
    return { ...out, series: { values: fewer, dims } };
  }
  return stream.frames === undefined ? out : { ...out, frames: selectFrames(stream.frames, keptIndexes) };
}

/** Selects frames. For a video only the expected frame count changes; the file stays as it is. */
function selectFrames(frames: Frames, indexes: readonly number[]): Frames {
  const { locator, payloads } = frames;
  if (locator.type === 'video' && locator.expected_frames !== null) {
    return { ...frames, locator: { ...locator, expected_frames: indexes.length } };
  }
  if (payloads === undefined) return frames;
  const crc32 = Uint32Array.from(indexes, (i) => payloads.crc32[i]);
  const bytes = Uint32Array.from(indexes, (i) => payloads.bytes[i]);
  return { ...frames, payloads: { crc32, bytes } };
}

/** Computes the range of each dimension over its finite values; 0 if it is constant. */
export function computeRanges(stream: Stream): Float64Array {
  const { values, dims } = stream.series as Series;
  const out = new Float64Array(dims);
  for (let dim = 0; dim < dims; dim++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = dim; i < values.length; i += dims) {
      if (values[i] < low) low = values[i];
      if (values[i] > high) high = values[i];
    }
    out[dim] = high > low ? high - low : 0;
  }
  return out;
}

/** Returns `true` if the dimension is named like a gripper or hand, whose values switch rather than move. */
function isGripper(stream: Stream, dim: number): boolean {
  return /grip|hand|finger|thumb|claw/i.test(stream.names?.[dim] ?? '');
}

/** Picks a random dimension among the wider half of those that move, grippers excluded; `null` if none moves. */
export function pickMovingDimension(stream: Stream, random: Random): number | null {
  const ranges = computeRanges(stream);
  const moving = [...ranges.keys()].filter((dim) => ranges[dim] > 0 && !isGripper(stream, dim));
  if (moving.length === 0) return null;
  moving.sort((a, b) => ranges[b] - ranges[a]);
  return random.pick(moving.slice(0, Math.max(1, Math.ceil(moving.length / 2))));
}

/** Returns the first row of the `length` rows with the most motion, each dimension scaled by its range. */
export function findBusiestWindow(stream: Stream, length: number): number {
  const { values, dims } = stream.series as Series;
  const ranges = computeRanges(stream);
  const rows = stream.sample_count;
  const travel = new Float64Array(rows + 1);
  for (let row = 1; row < rows; row++) {
    let sum = 0;
    for (let dim = 0; dim < dims; dim++) {
      if (ranges[dim] > 0)
        sum += Math.abs(values[row * dims + dim] - values[(row - 1) * dims + dim]) / ranges[dim];
    }
    travel[row + 1] = travel[row] + (Number.isFinite(sum) ? sum : 0);
  }
  let best = 0;
  for (let first = 0; first + length <= rows; first++) {
    if (travel[first + length] - travel[first] > travel[best + length] - travel[best]) best = first;
  }
  return best;
}

/** Returns the time of a row, clamped to the stream's rows, in s by the chosen clock; 0 without one. */
export function timeOfRow(stream: Stream, row: number): number {
  const times = timesOf(stream);
  return times === null || times.length === 0 ? 0 : times[Math.max(0, Math.min(times.length - 1, row))];
}

/** Computes the mean rate in Hz by the chosen clock; the declared rate, else 30, without one. */
export function computeRate_hz(stream: Stream): number {
  const times = timesOf(stream);
  if (times === null || times.length < 2) return stream.declared_rate_hz ?? 30;
  return (times.length - 1) / (times[times.length - 1] - times[0]);
}
