import { type Episode, type StreamRole, timesOf } from '#core/episode';

const moves: ReadonlySet<StreamRole> = new Set<StreamRole>(['state', 'action', 'odometry']);

/**
 * How far state, action and odometry move between two times: the largest range of a dimension in the window as a share of its
 * range in the episode. Null when no such signal has samples there, so that nothing can be said.
 */
export function motionShare(episode: Episode, from_s: number, to_s: number): number | null {
  let share: number | null = null;
  for (const stream of episode.streams) {
    if (!moves.has(stream.role) || stream.series === undefined) continue;
    const times = timesOf(stream);
    if (times === null) continue;
    const own = largestShare(stream.series.values, stream.series.dims, times, from_s, to_s);
    if (own !== null && (share === null || own > share)) share = own;
  }
  return share;
}

function largestShare(
  values: Float32Array | Float64Array,
  dims: number,
  times: Float64Array,
  from_s: number,
  to_s: number,
): number | null {
  let inside = 0;
  for (let i = 0; i < times.length; i++) if (times[i] >= from_s && times[i] <= to_s) inside++;
  if (inside < 2) return null;
  let largest = 0;
  for (let d = 0; d < dims; d++) {
    let low = Infinity;
    let high = -Infinity;
    let lowInside = Infinity;
    let highInside = -Infinity;
    for (let i = 0; i < times.length; i++) {
      const value = values[i * dims + d];
      if (value < low) low = value;
      if (value > high) high = value;
      if (times[i] < from_s || times[i] > to_s) continue;
      if (value < lowInside) lowInside = value;
      if (value > highInside) highInside = value;
    }
    const range = high - low;
    if (range > 1e-9 && (highInside - lowInside) / range > largest)
      largest = (highInside - lowInside) / range;
  }
  return largest;
}
