import { type Stream, timesOf } from '#core/episode';
import { medianStep } from './stream-summary.ts';

/** How rows of one rate come about. */
export type GridRule =
  /** Every stream has a sample a row already. */
  | { readonly kind: 'rows' }
  /** Rows lie at the stamps of one stream, or evenly at a rate that was asked for. */
  | { readonly kind: 'stamps'; readonly reference: string; readonly rate_hz: number | null };

/** Rows of an episode, and which sample of each stream belongs to them. */
export interface EpisodeGrid {
  /** Since the start of the episode, one a row; NaN where nobody knows. */
  readonly time_s: Float64Array;
  /** By stream: the place of its sample for each row; -1: it has none within the tolerance. */
  readonly places: ReadonlyMap<string, Int32Array>;
  /** Rows that were left out because a stream that each row needs has no sample for them. */
  readonly left_out: number;
}

/** A sample is taken for a row this many of its stream's own steps later, and not after. */
const staleSteps = 2;
const leastTolerance_s = 0.02;
/** Stamps are doubles: what lies this close is the same time. */
const same_s = 1e-6;

/** How old a sample may be for a row: two of its stream's usual steps, 20 ms at least. */
function toleranceOf(period_s: number | null): number {
  return Math.max(leastTolerance_s, staleSteps * (period_s ?? 0));
}

/**
 * The rows of an episode. A row takes of each stream the latest sample at or before it, never a later one, and none that
 * is older than the tolerance: nothing is interpolated. Rows without a sample of a stream in `needed` are left out.
 */
export function gridOf(
  streams: readonly Stream[],
  needed: ReadonlySet<string>,
  rule: GridRule,
  rate_hz: number | null,
): EpisodeGrid {
  if (rule.kind === 'rows') return plainRows(streams, rate_hz);
  const tracks = streams.map((stream) => trackOf(stream));
  const wanted_s = rowTimes(tracks, needed, rule);
  const found = new Map(tracks.map((track) => [track.id, latestAt(track, wanted_s)]));
  const kept = [...wanted_s.keys()].filter((row) =>
    [...needed].every((id) => (found.get(id)?.[row] ?? 0) >= 0),
  );
  return {
    time_s: Float64Array.from(kept, (row) => wanted_s[row]),
    places: new Map([...found].map(([id, places]) => [id, Int32Array.from(kept, (row) => places[row])])),
    left_out: wanted_s.length - kept.length,
  };
}

/** Rows of another rate, from the first sample to the last: by the same rule the place of the sample that each takes. */
export function evenRows(
  times_s: Float64Array,
  rate_hz: number,
): { readonly places: Int32Array; readonly left_out: number } {
  const track = trackAt('rows', times_s);
  const [first_s, last_s] = [track.time_s[0] ?? 0, track.time_s.at(-1) ?? Number.NEGATIVE_INFINITY];
  const rows = Math.max(0, Math.floor((last_s - first_s + same_s) * rate_hz) + 1);
  const wanted_s = Float64Array.from({ length: rows }, (_, row) => first_s + row / rate_hz);
  const found = latestAt(track, wanted_s);
  const places = found.filter((place) => place >= 0);
  return { places, left_out: found.length - places.length };
}

function plainRows(streams: readonly Stream[], rate_hz: number | null): EpisodeGrid {
  const rows = streams.length === 0 ? 0 : Math.min(...streams.map(({ sample_count }) => sample_count));
  const own = streams.map(timesOf).find((times) => times !== null && times.length >= rows);
  const time_s =
    own?.slice(0, rows) ?? Float64Array.from({ length: rows }, (_, row) => row / (rate_hz ?? Number.NaN));
  const places = Int32Array.from({ length: rows }, (_, row) => row);
  return { time_s, places: new Map(streams.map(({ id }) => [id, places])), left_out: 0 };
}

interface Track {
  readonly id: string;
  /** Rising. */
  readonly time_s: Float64Array;
  /** Place of the sample that has it; null: the same. */
  readonly order: Int32Array | null;
  readonly tolerance_s: number;
}

const trackOf = (stream: Stream): Track => trackAt(stream.id, timesOf(stream) ?? new Float64Array(0));

function trackAt(id: string, times: Float64Array): Track {
  const tolerance_s = toleranceOf(medianStep(times));
  if (isRising(times)) return { id, time_s: times, order: null, tolerance_s };
  const order = Int32Array.from([...times.keys()].filter((i) => Number.isFinite(times[i])));
  order.sort((a, b) => times[a] - times[b] || a - b);
  return { id, time_s: Float64Array.from(order, (i) => times[i]), order, tolerance_s };
}

function isRising(times: Float64Array): boolean {
  for (let i = 0; i < times.length; i++)
    if (!(times[i] >= (times[i - 1] ?? Number.NEGATIVE_INFINITY))) return false;
  return true;
}

/** From when every needed stream has begun until one of them ends. */
function rowTimes(
  tracks: readonly Track[],
  needed: ReadonlySet<string>,
  { reference, rate_hz }: Extract<GridRule, { kind: 'stamps' }>,
): Float64Array {
  const held = tracks.filter(({ id, time_s }) => needed.has(id) && time_s.length > 0);
  const from_s = Math.max(...held.map(({ time_s }) => time_s[0])) - same_s;
  const until_s = Math.min(...held.map(({ time_s, tolerance_s }) => time_s[time_s.length - 1] + tolerance_s));
  if (rate_hz !== null) {
    const rows = Math.max(0, Math.floor((until_s - from_s) * rate_hz + same_s) + 1);
    return Float64Array.from({ length: rows }, (_, row) => from_s + same_s + row / rate_hz);
  }
  const own = tracks.find(({ id }) => id === reference)?.time_s ?? new Float64Array(0);
  return own.filter((time, i) => time >= from_s && time <= until_s && time !== own[i - 1]);
}

function latestAt({ time_s, order, tolerance_s }: Track, wanted_s: Float64Array): Int32Array {
  let at = -1;
  return Int32Array.from(wanted_s, (wanted) => {
    while (at + 1 < time_s.length && time_s[at + 1] <= wanted + same_s) at++;
    if (at < 0 || wanted - time_s[at] > tolerance_s) return -1;
    return order === null ? at : order[at];
  });
}
