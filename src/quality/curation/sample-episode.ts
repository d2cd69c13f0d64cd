import { sha256, significant } from '#core';
import { type Episode, type Stream, type StreamRole, timesOf } from '#core/episode';
import type { CurationEpisode } from './curation-episode.ts';

/**
 * Content hash, rest and sampled numbers of an episode. Plain data, because it is sent between threads and stored in
 * files.
 */
export interface EpisodeSample {
  /** SHA-256 of all numeric streams, or of the picture files if there are none; null if neither can be hashed. */
  readonly content_hash: string | null;
  /** Rest at both ends in seconds; null without clocks or motion. */
  readonly idle: { readonly head_s: number; readonly tail_s: number } | null;
  /** Sampled states and actions; null if there are none, or if they have no common time. */
  readonly pairs: {
    readonly layout: string;
    readonly state_dims: number;
    readonly action_dims: number;
    readonly rows: number;
    /** Base64 of little-endian 32-bit floats, row-major. */
    readonly states: string;
    readonly actions: string;
  } | null;
}

/** Version of the sampling; increase it when the sample of a recording changes. */
export const sampleVersion = 1;

/** Maximum rows of a sample, and dimensions of states and of actions. */
const maxRows = 64;
const maxDims = 64;
const maxLayoutLength = 1000;
/**
 * A dimension rests while it stays within 2 % of its range; dimensions below 5 % of the widest range are ignored as
 * noise.
 */
const restRangeFraction = 0.02;
const minRangeFraction = 0.05;

/**
 * Returns a hash of the episode's recorded data, how long it idles, and its states and actions at up to 64 moments;
 * each is `null` if the data for it is missing. The moments are equally spaced over the time that states and actions
 * have in common; each takes the latest earlier row of every stream, without interpolation. Deterministic.
 */
export function sampleEpisode(episode: Episode): EpisodeSample {
  const states = selectNumericStreams(episode, 'state');
  const actions = selectNumericStreams(episode, 'action');
  return {
    content_hash: contentHash(episode),
    idle: measureIdle(states.length > 0 ? states : actions),
    pairs: samplePairs(states, actions),
  };
}

/** Decodes a sample into the fields of a curation episode, and omits those that are `null`. */
export function decodeSample({
  content_hash,
  idle,
  pairs,
}: EpisodeSample): Pick<CurationEpisode, 'content_hash' | 'idle' | 'sample'> {
  return {
    ...(content_hash === null ? {} : { content_hash }),
    ...(idle === null ? {} : { idle }),
    ...(pairs === null
      ? {}
      : { sample: { ...pairs, states: decodeFloats(pairs.states), actions: decodeFloats(pairs.actions) } }),
  };
}

/** Returns the numeric streams of a role, sorted by id; excludes event-driven ones. */
function selectNumericStreams({ streams }: Episode, role: StreamRole): Stream[] {
  return streams
    .filter(
      (stream) =>
        stream.role === role &&
        stream.series !== undefined &&
        stream.series.dims > 0 &&
        stream.series.values.length >= stream.series.dims &&
        stream.event_driven === undefined,
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function contentHash({ streams, sources, locator }: Episode): string | null {
  const numeric = streams.filter(({ series }) => series !== undefined && series.values.length > 0);
  if (numeric.length > 0)
    return sha256(
      numeric
        .map(({ id, series }) => {
          const { values, dims } = series!;
          return `${id} ${dims} ${sha256(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))}`;
        })
        .sort()
        .join('\n'),
    );
  const pictures = sources.filter(({ role }) => role === 'image' || role === 'video');
  if (pictures.length === 0 || locator.span !== undefined) return null;
  const hashes = pictures.map(({ sha256 }) => sha256);
  return hashes.includes(null) ? null : sha256(hashes.join('\n'));
}

function samplePairs(states: readonly Stream[], actions: readonly Stream[]): EpisodeSample['pairs'] {
  const all = [...states, ...actions];
  if (all.length === 0) return null;
  const moments = selectMoments(all);
  if (moments === null) return null;
  const side = (streams: readonly Stream[]) => sampleSide(streams, moments);
  const [stateSide, actionSide] = [side(states), side(actions)];
  return {
    layout: describeLayout(all),
    state_dims: stateSide.dims,
    action_dims: actionSide.dims,
    rows: moments.count,
    states: stateSide.base64,
    actions: actionSide.base64,
  };
}

/** Returns roles, ids and dimensions of the streams as text; its hash if it is longer than 1,000 characters. */
function describeLayout(streams: readonly Stream[]): string {
  const layout = streams.map(({ role, id, series }) => `${role} ${id} ${series!.dims}`).join(', ');
  return layout.length > maxLayoutLength ? sha256(layout) : layout;
}

interface Moments {
  readonly count: number;
  /** Returns the row of a stream at the i-th moment. */
  rowOf(stream: Stream, i: number): number;
}

const countRows = ({ series }: Stream): number => Math.floor(series!.values.length / series!.dims);

/**
 * Selects moments at equal time steps if every stream has a clock, else at equal row steps if all have equally many
 * rows; else null.
 */
function selectMoments(streams: readonly Stream[]): Moments | null {
  const counts = streams.map(countRows);
  const count = Math.min(maxRows, ...counts);
  const part = (i: number): number => (count === 1 ? 0 : i / (count - 1));
  const clocks = new Map(streams.map((stream) => [stream, timesOf(stream)]));
  if ([...clocks.values()].some((times) => times === null || times.length === 0))
    return counts.every((one) => one === counts[0])
      ? { count, rowOf: (stream, i) => Math.round(part(i) * (countRows(stream) - 1)) }
      : null;
  const ends = (pick: 'first' | 'last') =>
    [...clocks.values()].flatMap((times) => times?.at(pick === 'first' ? 0 : -1) ?? []);
  const from = Math.max(...ends('first'));
  const to = Math.min(...ends('last'));
  if (!(to >= from)) return null;
  return {
    count,
    rowOf: (stream, i) => findRow(clocks.get(stream)!, from + part(i) * (to - from), countRows(stream)),
  };
}

/** Finds the last row at or before a time (0 if none) by binary search; assumes ascending times. */
function findRow(times: Float64Array, at: number, rows: number): number {
  let low = 0;
  let high = Math.min(times.length, rows) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function sampleSide(streams: readonly Stream[], { count, rowOf }: Moments) {
  const dims = Math.min(
    maxDims,
    streams.reduce((sum, { series }) => sum + series!.dims, 0),
  );
  const values = new Float32Array(count * dims);
  for (let i = 0; i < count; i++) {
    let d = 0;
    for (const stream of streams) {
      const { series } = stream;
      const from = rowOf(stream, i) * series!.dims;
      for (let k = 0; k < series!.dims && d < dims; k++, d++) values[i * dims + d] = series!.values[from + k];
    }
  }
  return { dims, base64: Buffer.from(values.buffer).toString('base64') };
}

function decodeFloats(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/**
 * Measures rest: until a dimension first moves from its start by 2 % of its range, and after one last reaches its end
 * within 2 %.
 */
function measureIdle(streams: readonly Stream[]): EpisodeSample['idle'] {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const stream of streams) {
    const times = timesOf(stream);
    if (times === null || times.length < 2) return null;
    start = Math.min(start, times[0]);
    end = Math.max(end, times[times.length - 1]);
    const rows = Math.min(times.length, countRows(stream));
    const ranges = computeRanges(stream, rows);
    const widest = Math.max(...ranges);
    for (const [d, range] of ranges.entries()) {
      if (!(range > minRangeFraction * widest)) continue;
      const [from, to] = findMotionEnds(stream, d, restRangeFraction * range, rows);
      first = Math.min(first, times[from]);
      last = Math.max(last, times[to]);
    }
  }
  if (!(last > first)) return null;
  return { head_s: significant(Math.max(0, first - start)), tail_s: significant(Math.max(0, end - last)) };
}

function computeRanges({ series }: Stream, rows: number): number[] {
  const { values, dims } = series!;
  return Array.from({ length: dims }, (_, d) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = 0; row < rows; row++) {
      const value = values[row * dims + d];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return high > low ? high - low : 0;
  });
}

/**
 * Returns the last row before a dimension leaves its first value by more than `limit`, and the first row from which
 * it stays within `limit` of its last.
 */
function findMotionEnds({ series }: Stream, d: number, limit: number, rows: number): [number, number] {
  const { values, dims } = series!;
  const far = (row: number, from: number): boolean =>
    Math.abs(values[row * dims + d] - values[from * dims + d]) > limit;
  let from = 0;
  while (from + 1 < rows && !far(from + 1, 0)) from++;
  let to = rows - 1;
  while (to > 0 && !far(to - 1, rows - 1)) to--;
  return [from, to];
}
