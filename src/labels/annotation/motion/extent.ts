import { recordedRoles, type Stream, timesOf } from '#core/episode';

/** From when to when something was recorded, in seconds on the episode's clock. */
export interface Extent {
  readonly from_s: number;
  readonly to_s: number;
}

/**
 * From the first stamp to the last of all streams that follow the episode; null: no stamp. The last row of `main`, if
 * that is the last of all, lasts one usual step of its stream.
 */
export function extentOf(streams: readonly Stream[], main: Float64Array | null): Extent | null {
  const seen = new Set<Float64Array>();
  let from_s = Infinity;
  let to_s = -Infinity;
  for (const stream of streams) {
    const times = timesOf(stream);
    if (times === null || seen.has(times) || !recordedRoles.has(stream.role)) continue;
    seen.add(times);
    const [first, last] = endsOf(times);
    if (!(last >= first)) continue;
    const isMain = main === null || times === main;
    const step_s = isMain && times.length > 1 ? (last - first) / (times.length - 1) : 0;
    from_s = Math.min(from_s, first);
    to_s = Math.max(to_s, last + step_s);
  }
  return to_s >= from_s ? { from_s, to_s } : null;
}

function endsOf(times: Float64Array): [first: number, last: number] {
  let first = Infinity;
  let last = -Infinity;
  for (let i = 0; i < times.length; i++) {
    const time = times[i];
    if (time < first && time > -Infinity) first = time;
    if (time > last && time < Infinity) last = time;
  }
  return [first, last];
}
