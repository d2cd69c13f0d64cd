import { type Stream, timesOf } from '#core/episode';
import { medianStep } from './stream-summary.ts';

/** Rule that forms rows from streams. */
export type GridRule =
  /** Streams already have one sample per row. */
  | { readonly kind: 'rows' }
  /** Rows at the timestamps of one stream, or evenly spaced at `rate_hz`. */
  | { readonly kind: 'stamps'; readonly reference: string; readonly rate_hz: number | null };

/** Rows of an episode and the sample of each stream that belongs to each. */
export interface EpisodeGrid {
  /** Time of each row in seconds since the start of the episode; NaN if unknown. */
  readonly time_s: Float64Array;
  /** Sample index of each row by stream id; -1 if the stream has no sample within the tolerance. */
  readonly sampleIndices: ReadonlyMap<string, Int32Array>;
  /** Number of rows left out because a required stream has no sample for them. */
  readonly left_out: number;
}

/** Maximum age of a sample in steps of its stream. */
const maxSampleAge_steps = 2;
const minTolerance_s = 0.02;
/** Times this close are equal. */
const timeEpsilon_s = 1e-6;

/** Returns the maximum age of a sample in seconds: two median steps of its stream, at least 20 ms. */
function computeTolerance(period_s: number | null): number {
  return Math.max(minTolerance_s, maxSampleAge_steps * (period_s ?? 0));
}

/**
 * Returns the rows of an episode, each with the latest sample of each stream, at most two sample periods (or 20 ms)
 * old; rows without one of a `required` stream are left out.
 *
 * Nothing is interpolated. By the rule `rows`, row i is sample i of every stream, up to the end of the shortest.
 */
export function buildGrid(
  streams: readonly Stream[],
  required: ReadonlySet<string>,
  rule: GridRule,
  rate_hz: number | null,
): EpisodeGrid {
  if (rule.kind === 'rows') return gridFromRows(streams, rate_hz);
  const tracks = streams.map((stream) => trackOf(stream));
  const row_s = rowTimes(tracks, required, rule);
  const found = new Map(tracks.map((track) => [track.id, findLatestSamples(track, row_s)]));
  const complete = [...row_s.keys()].filter((row) =>
    [...required].every((id) => (found.get(id)?.[row] ?? 0) >= 0),
  );
  return {
    time_s: Float64Array.from(complete, (row) => row_s[row]),
    sampleIndices: new Map(
      [...found].map(([id, indices]) => [id, Int32Array.from(complete, (row) => indices[row])]),
    ),
    left_out: row_s.length - complete.length,
  };
}

/**
 * Returns the source row of each row at another rate, from the first time to the last, by the same rule as `buildGrid`;
 * rows without a recent source row are left out and counted.
 */
export function resampleRows(
  times_s: Float64Array,
  rate_hz: number,
): { readonly sourceRows: Int32Array; readonly left_out: number } {
  const track = trackAt('rows', times_s);
  const [first_s, last_s] = [track.time_s[0] ?? 0, track.time_s.at(-1) ?? Number.NEGATIVE_INFINITY];
  const rows = Math.max(0, Math.floor((last_s - first_s + timeEpsilon_s) * rate_hz) + 1);
  const row_s = Float64Array.from({ length: rows }, (_, row) => first_s + row / rate_hz);
  const found = findLatestSamples(track, row_s);
  const sourceRows = found.filter((row) => row >= 0);
  return { sourceRows, left_out: found.length - sourceRows.length };
}

function gridFromRows(streams: readonly Stream[], rate_hz: number | null): EpisodeGrid {
  const rows = streams.length === 0 ? 0 : Math.min(...streams.map(({ sample_count }) => sample_count));
  const clock_s = streams.map(timesOf).find((times) => times !== null && times.length >= rows);
  const time_s =
    clock_s?.slice(0, rows) ?? Float64Array.from({ length: rows }, (_, row) => row / (rate_hz ?? Number.NaN));
  const indices = Int32Array.from({ length: rows }, (_, row) => row);
  return { time_s, sampleIndices: new Map(streams.map(({ id }) => [id, indices])), left_out: 0 };
}

interface Track {
  readonly id: string;
  /** Ascending times. */
  readonly time_s: Float64Array;
  /** Sample index of each time; `null` if equal to the position. */
  readonly order: Int32Array | null;
  readonly tolerance_s: number;
}

const trackOf = (stream: Stream): Track => trackAt(stream.id, timesOf(stream) ?? new Float64Array(0));

function trackAt(id: string, times: Float64Array): Track {
  const tolerance_s = computeTolerance(medianStep(times));
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

/** Returns the times of the rows, from when all required streams have started until the first of them ends. */
function rowTimes(
  tracks: readonly Track[],
  required: ReadonlySet<string>,
  { reference, rate_hz }: Extract<GridRule, { kind: 'stamps' }>,
): Float64Array {
  const requiredTracks = tracks.filter(({ id, time_s }) => required.has(id) && time_s.length > 0);
  const from_s = Math.max(...requiredTracks.map(({ time_s }) => time_s[0])) - timeEpsilon_s;
  const until_s = Math.min(
    ...requiredTracks.map(({ time_s, tolerance_s }) => time_s[time_s.length - 1] + tolerance_s),
  );
  if (rate_hz !== null) {
    const rows = Math.max(0, Math.floor((until_s - from_s) * rate_hz + timeEpsilon_s) + 1);
    return Float64Array.from({ length: rows }, (_, row) => from_s + timeEpsilon_s + row / rate_hz);
  }
  const reference_s = tracks.find(({ id }) => id === reference)?.time_s ?? new Float64Array(0);
  return reference_s.filter((time, i) => time >= from_s && time <= until_s && time !== reference_s[i - 1]);
}

function findLatestSamples({ time_s, order, tolerance_s }: Track, rowTimes_s: Float64Array): Int32Array {
  let at = -1;
  return Int32Array.from(rowTimes_s, (wanted) => {
    while (at + 1 < time_s.length && time_s[at + 1] <= wanted + timeEpsilon_s) at++;
    if (at < 0 || wanted - time_s[at] > tolerance_s) return -1;
    return order === null ? at : order[at];
  });
}
