import { sha256, significant } from '#core';
import { type Episode, type Stream, type StreamRole, timesOf } from '#core/episode';
import type { CurationEpisode } from './curation-episode.ts';

/** What curation keeps of an episode's numbers. Plain data: it crosses threads and lies in files. */
export interface EpisodeSample {
  /** SHA-256 of all numbers of its states, actions and sensors, or of its pictures' files; null: it has neither. */
  readonly content_hash: string | null;
  /** Rest at both ends in seconds; null: it has no time, or nothing moves. */
  readonly idle: { readonly head_s: number; readonly tail_s: number } | null;
  /** Null: it has no states and no actions. */
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

/** One more each time a sample of the same recording changes. */
export const sampleVersion = 1;

/** Rows of a sample and dimensions of each side at most. */
const mostRows = 64;
const mostDims = 64;
const longestLayout = 1000;
/** A dimension rests while it stays within this share of its range; one with a small range tells noise. */
const stays = 0.02;
const leastRange = 0.05;

/**
 * A bounded sample: up to 64 moments at equal steps of the time that states and actions have in common, and at each the
 * nearest earlier row of every stream, nothing between. The same recording gives the same sample.
 */
export function sampleEpisode(episode: Episode): EpisodeSample {
  const states = numericOf(episode, 'state');
  const actions = numericOf(episode, 'action');
  return {
    content_hash: contentHash(episode),
    idle: idleOf(states.length > 0 ? states : actions),
    pairs: pairsOf(states, actions),
  };
}

/** The sample as numbers again. */
export function fromSample({
  content_hash,
  idle,
  pairs,
}: EpisodeSample): Pick<CurationEpisode, 'content_hash' | 'idle' | 'sample'> {
  return {
    ...(content_hash === null ? {} : { content_hash }),
    ...(idle === null ? {} : { idle }),
    ...(pairs === null
      ? {}
      : { sample: { ...pairs, states: floatsOf(pairs.states), actions: floatsOf(pairs.actions) } }),
  };
}

/** In the order of their ids. */
function numericOf({ streams }: Episode, role: StreamRole): Stream[] {
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

function pairsOf(states: readonly Stream[], actions: readonly Stream[]): EpisodeSample['pairs'] {
  const all = [...states, ...actions];
  if (all.length === 0) return null;
  const moments = momentsOf(all);
  if (moments === null) return null;
  const side = (streams: readonly Stream[]) => sideOf(streams, moments);
  const [seen, done] = [side(states), side(actions)];
  return {
    layout: layoutOf(all),
    state_dims: seen.dims,
    action_dims: done.dims,
    rows: moments.count,
    states: seen.base64,
    actions: done.base64,
  };
}

/** Roles, names and sizes; the hash of them where they are long, as a recording's names have no limit. */
function layoutOf(streams: readonly Stream[]): string {
  const layout = streams.map(({ role, id, series }) => `${role} ${id} ${series!.dims}`).join(', ');
  return layout.length > longestLayout ? sha256(layout) : layout;
}

interface Moments {
  readonly count: number;
  /** The row of a stream at the i-th moment. */
  rowOf(stream: Stream, i: number): number;
}

const countOf = ({ series }: Stream): number => Math.floor(series!.values.length / series!.dims);

/** Equal steps in time where every stream has a clock, else of rows where all have as many; null otherwise. */
function momentsOf(streams: readonly Stream[]): Moments | null {
  const counts = streams.map(countOf);
  const count = Math.min(mostRows, ...counts);
  const part = (i: number): number => (count === 1 ? 0 : i / (count - 1));
  const clocks = new Map(streams.map((stream) => [stream, timesOf(stream)]));
  if ([...clocks.values()].some((times) => times === null || times.length === 0))
    return counts.every((one) => one === counts[0])
      ? { count, rowOf: (stream, i) => Math.round(part(i) * (countOf(stream) - 1)) }
      : null;
  const ends = (pick: 'first' | 'last') =>
    [...clocks.values()].flatMap((times) => times?.at(pick === 'first' ? 0 : -1) ?? []);
  const from = Math.max(...ends('first'));
  const to = Math.min(...ends('last'));
  if (!(to >= from)) return null;
  return {
    count,
    rowOf: (stream, i) => rowAt(clocks.get(stream)!, from + part(i) * (to - from), countOf(stream)),
  };
}

/** The last row at or before that time; stamps ascend, or the search is as good as they are. */
function rowAt(times: Float64Array, at: number, rows: number): number {
  let low = 0;
  let high = Math.min(times.length, rows) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function sideOf(streams: readonly Stream[], { count, rowOf }: Moments) {
  const dims = Math.min(
    mostDims,
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

function floatsOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** Until a dimension first leaves where it began by 2 % of its range, and since it last came to where it ends. */
function idleOf(streams: readonly Stream[]): EpisodeSample['idle'] {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const stream of streams) {
    const times = timesOf(stream);
    if (times === null || times.length < 2) return null;
    start = Math.min(start, times[0]);
    end = Math.max(end, times[times.length - 1]);
    const rows = Math.min(times.length, countOf(stream));
    const ranges = rangesOf(stream, rows);
    const widest = Math.max(...ranges);
    for (const [d, range] of ranges.entries()) {
      if (!(range > leastRange * widest)) continue;
      const [from, to] = movesFrom(stream, d, stays * range, rows);
      first = Math.min(first, times[from]);
      last = Math.max(last, times[to]);
    }
  }
  if (!(last > first)) return null;
  return { head_s: significant(Math.max(0, first - start)), tail_s: significant(Math.max(0, end - last)) };
}

function rangesOf({ series }: Stream, rows: number): number[] {
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

/** The last row that is still where the dimension began, and the first that is where it ends. */
function movesFrom({ series }: Stream, d: number, limit: number, rows: number): [number, number] {
  const { values, dims } = series!;
  const far = (row: number, from: number): boolean =>
    Math.abs(values[row * dims + d] - values[from * dims + d]) > limit;
  let from = 0;
  while (from + 1 < rows && !far(from + 1, 0)) from++;
  let to = rows - 1;
  while (to > 0 && !far(to - 1, rows - 1)) to--;
  return [from, to];
}
