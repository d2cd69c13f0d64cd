import type { Random } from '#core';
import type { Clock, Episode, Frames, Series, Stream, StreamRole } from '#core/episode';
import { timesOf } from '#core/episode';
import type { FaultSize } from './fault.ts';

export function streamsOf(episode: Episode, role: StreamRole): Stream[] {
  return episode.streams.filter((stream) => stream.role === role && stream.series !== undefined);
}

/**
 * The state, and the streams that another convention of joints spoils: state and action (small), the action alone
 * (medium) or the state alone (large). Null where there are not both, of as many dimensions.
 */
export function conventionStreams(
  episode: Episode,
  size: FaultSize,
): { readonly state: Stream; readonly spoiled: readonly Stream[] } | null {
  const [state] = streamsOf(episode, 'state');
  const [action] = streamsOf(episode, 'action');
  if (state === undefined || action === undefined || state.series!.dims !== action.series!.dims) return null;
  return { state, spoiled: { small: [state, action], medium: [action], large: [state] }[size] };
}

/** What the robot did and was told; where there is neither, every numeric stream with a clock. */
export function signalsOf(episode: Episode): Stream[] {
  const own = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')];
  if (own.length > 0) return own;
  return episode.streams.filter((stream) => stream.series !== undefined && stream.clock !== null);
}

/** A numeric stream's copy with values of its own that may be changed. */
export function withValues(
  stream: Stream,
  change: (values: Float32Array | Float64Array, dims: number) => void,
): Stream {
  const series = stream.series as Series;
  const values = series.values.slice();
  change(values, series.dims);
  return { ...stream, series: { values, dims: series.dims } };
}

export function replaceStreams(episode: Episode, changed: readonly Stream[]): Episode {
  const byId = new Map(changed.map((stream) => [stream.id, stream]));
  return { ...episode, streams: episode.streams.map((stream) => byId.get(stream.id) ?? stream) };
}

/** Keeps the samples of a stream for which `keep` holds, in values, clocks and embedded payloads alike. */
export function keepSamples(stream: Stream, keep: (index: number) => boolean): Stream {
  const kept: number[] = [];
  for (let i = 0; i < stream.sample_count; i++) if (keep(i)) kept.push(i);
  const clocks = stream.clocks.map(
    (clock): Clock => ({ ...clock, time_s: Float64Array.from(kept, (i) => clock.time_s[i]) }),
  );
  const out: Stream = { ...stream, clocks, sample_count: kept.length };
  if (stream.series !== undefined) {
    const { values, dims } = stream.series;
    const fewer =
      values instanceof Float32Array
        ? new Float32Array(kept.length * dims)
        : new Float64Array(kept.length * dims);
    kept.forEach((from, to) => {
      fewer.set(values.subarray(from * dims, (from + 1) * dims), to * dims);
    });
    return { ...out, series: { values: fewer, dims } };
  }
  return stream.frames === undefined ? out : { ...out, frames: keptFrames(stream.frames, kept) };
}

/** Rows of a table say how many frames a video should have; the video itself stays as it is. */
function keptFrames(frames: Frames, kept: readonly number[]): Frames {
  const { locator, payloads } = frames;
  if (locator.type === 'video' && locator.expected_frames !== null) {
    return { ...frames, locator: { ...locator, expected_frames: kept.length } };
  }
  if (payloads === undefined) return frames;
  const crc32 = Uint32Array.from(kept, (i) => payloads.crc32[i]);
  const bytes = Uint32Array.from(kept, (i) => payloads.bytes[i]);
  return { ...frames, payloads: { crc32, bytes } };
}

/** Range of each dimension over its finite values. */
export function rangesOf(stream: Stream): Float64Array {
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

/** Whether a dimension's name says that it is a gripper or hand, whose values switch rather than move. */
function isGripper(stream: Stream, dim: number): boolean {
  return /grip|hand|finger|thumb|claw/i.test(stream.names?.[dim] ?? '');
}

/** A dimension that moves: among the widest half of the arm's own, picked at random. Null where nothing moves. */
export function movingDimension(stream: Stream, random: Random): number | null {
  const ranges = rangesOf(stream);
  const moving = [...ranges.keys()].filter((dim) => ranges[dim] > 0 && !isGripper(stream, dim));
  if (moving.length === 0) return null;
  moving.sort((a, b) => ranges[b] - ranges[a]);
  return random.pick(moving.slice(0, Math.max(1, Math.ceil(moving.length / 2))));
}

/** First row of the `length` rows in which the stream travels furthest, scaled by each dimension's range. */
export function busiestWindow(stream: Stream, length: number): number {
  const { values, dims } = stream.series as Series;
  const ranges = rangesOf(stream);
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

/** Time of a row by the stream's chosen clock; 0 where it has none. */
export function timeOfRow(stream: Stream, row: number): number {
  const times = timesOf(stream);
  return times === null || times.length === 0 ? 0 : times[Math.max(0, Math.min(times.length - 1, row))];
}

/** Samples a second by the chosen clock. */
export function rateOf(stream: Stream): number {
  const times = timesOf(stream);
  if (times === null || times.length < 2) return stream.declared_rate_hz ?? 30;
  return (times.length - 1) / (times[times.length - 1] - times[0]);
}
