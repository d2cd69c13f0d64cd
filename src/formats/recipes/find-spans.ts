import { type Episode, type Stream, timesOf } from '#core/episode';
import type { Recipe, Split } from './recipe-type.ts';

/** What a recipe makes of a recording. */
export interface Spans {
  readonly kept: readonly Span[];
  /** Between episodes, and why it is in none. */
  readonly between: readonly { readonly from_s: number; readonly to_s: number; readonly why: string }[];
  /** Why the recipe could not be followed; the recording is then kept whole. */
  readonly failure: string | null;
}

const mostSpans = 100_000;

/** Says where a recording's episodes begin and end. Pure; whoever cuts decides what becomes of it. */
export function findSpans(episode: Episode, recipe: Recipe): Spans {
  const extent = extentOf(episode.streams);
  if (extent === null) return whole(0, 0, recipe.split.by === 'whole' ? null : 'no stream of it has a clock');
  const { from_s, to_s } = extent;
  const found = split(episode, recipe.split, from_s, to_s);
  if (typeof found === 'string') return whole(from_s, to_s, found);
  const chunks = found.flatMap((span) => intoChunks(span, recipe));
  if (chunks.length > mostSpans)
    return whole(from_s, to_s, `it would be cut into more than ${mostSpans} episodes`);
  const isLong = ({ from_s, to_s }: Span) => to_s - from_s >= recipe.min_length_s;
  const short = chunks.filter((span) => !isLong(span));
  const least = `shorter than the recipe's ${recipe.min_length_s} s`;
  return {
    kept: chunks.filter(isLong),
    between: [
      ...uncovered(found, from_s, to_s),
      ...short.map(({ from_s, to_s }) => ({ from_s, to_s, why: least })),
    ].sort((a, b) => a.from_s - b.from_s),
    failure: null,
  };
}

function whole(from_s: number, to_s: number, failure: string | null): Spans {
  return { kept: [{ from_s, to_s, begins: 'recording', ends: 'recording' }], between: [], failure };
}

/** A text says why not. */
function split(episode: Episode, rule: Split, from_s: number, to_s: number): Span[] | string {
  if (rule.by === 'whole') return [{ from_s, to_s, begins: 'recording', ends: 'recording' }];
  if (rule.by === 'window') return windows(rule.length_s, rule.overlap_s, from_s, to_s);
  if (rule.by === 'gap') return betweenGaps(episode, rule, to_s);
  if (rule.by === 'event') {
    const timesOfEvents = (label: string) =>
      episode.events.filter((event) => event.label === label).map(({ time_s }) => time_s);
    const begins = timesOfEvents(rule.label);
    return fromMarks(
      begins,
      rule.end_label === undefined ? null : timesOfEvents(rule.end_label),
      to_s,
      'event',
    );
  }
  const stream = streamOf(episode, rule.stream);
  if (stream === undefined) return noStream(episode, rule.stream);
  const times = timesOf(stream);
  if (times === null) return `${rule.stream} has no clock`;
  if (rule.by === 'message') {
    const end = rule.end_stream === undefined ? null : streamOf(episode, rule.end_stream);
    if (end === undefined) return noStream(episode, rule.end_stream ?? '');
    return fromMarks([...times], end === null ? null : [...(timesOf(end) ?? [])], to_s, 'message');
  }
  const values = columnOf(stream, rule.dimension);
  if (typeof values === 'string') return values;
  return rule.by === 'value'
    ? whileInside(values, times, to_s, rule)
    : fromMarks(edgesOf(values, times, rule), null, to_s, 'edge');
}

function noStream({ streams }: Episode, id: string): string {
  const some = streams.slice(0, 12).map((stream) => stream.id);
  return `it has no stream ${id}; there are ${some.join(', ')}${streams.length > some.length ? ', …' : ''}`;
}

function columnOf({ id, series, names }: Stream, dimension: number | string): Float64Array | string {
  if (series === undefined) return `${id} holds no numbers`;
  const { values, dims } = series;
  const place = typeof dimension === 'number' ? dimension : (names?.indexOf(dimension) ?? -1);
  if (place < 0 || place >= dims) return `${id} has no dimension ${dimension}`;
  return Float64Array.from({ length: values.length / dims }, (_, row) => values[row * dims + place]);
}

/** Each mark begins an episode, up to the next; with marks for the end, up to the first of those. */
function fromMarks(
  begins: readonly number[],
  ends: readonly number[] | null,
  to_s: number,
  by: Boundary,
): Span[] {
  const starts = [...new Set(begins.filter(Number.isFinite))].sort((a, b) => a - b);
  const stops = ends?.filter(Number.isFinite).toSorted((a, b) => a - b) ?? [];
  let stop = 0;
  return starts.map((from_s, at) => {
    const next = starts[at + 1] ?? to_s;
    while (stop < stops.length && stops[stop] <= from_s) stop++;
    const end = ends !== null && stop < stops.length && stops[stop] < next ? behind(stops[stop]) : next;
    return { from_s, to_s: end, begins: by, ends: end === to_s ? 'recording' : by };
  });
}

function edgesOf(
  values: Float64Array,
  times: Float64Array,
  { edge, threshold }: Extract<Split, { by: 'edge' }>,
): number[] {
  const found: number[] = [];
  for (let row = 1; row < values.length; row++) {
    const rises = values[row - 1] <= threshold && values[row] > threshold;
    const falls = values[row - 1] > threshold && values[row] <= threshold;
    if ((rises && edge !== 'falling') || (falls && edge !== 'rising')) found.push(times[row]);
  }
  return found;
}

function whileInside(
  values: Float64Array,
  times: Float64Array,
  end_s: number,
  { above, below, equals }: Extract<Split, { by: 'value' }>,
): Span[] {
  const found: Span[] = [];
  const isInside = (value: number) =>
    (above === undefined || value > above) &&
    (below === undefined || value < below) &&
    (equals === undefined || value === equals);
  let from_s: number | null = null;
  for (let row = 0; row < values.length; row++) {
    const inside = isInside(values[row]);
    if (inside && from_s === null) from_s = times[row];
    if (inside || from_s === null) continue;
    found.push({ from_s, to_s: times[row], begins: 'value', ends: 'value' });
    from_s = null;
  }
  if (from_s !== null) found.push({ from_s, to_s: end_s, begins: 'value', ends: 'recording' });
  return found.filter((span) => span.to_s > span.from_s);
}

function windows(length_s: number, overlap_s: number, from_s: number, to_s: number): Span[] | string {
  const step = length_s - overlap_s;
  // The last sample of a recording begins no window of its own.
  const count = Math.max(1, Math.ceil((to_s - from_s - overlap_s - 1e-6) / step));
  if (count > mostSpans) return `it would be cut into more than ${mostSpans} windows`;
  const start = (at: number) => from_s + at * step;
  return Array.from({ length: count }, (_, at) => ({
    from_s: start(at),
    to_s: at === count - 1 ? to_s : start(at + 1) + overlap_s,
    begins: at === 0 ? 'recording' : 'window',
    ends: at === count - 1 ? 'recording' : 'window',
  }));
}

/** Spans between the times in which none of the streams has a sample. */
function betweenGaps(
  episode: Episode,
  { longer_than_s, streams }: Extract<Split, { by: 'gap' }>,
  end_s: number,
): Span[] | string {
  const absent = streams?.find((id) => streamOf(episode, id) === undefined);
  if (absent !== undefined) return noStream(episode, absent);
  const heard = episode.streams.filter(({ id }) => streams === undefined || streams.includes(id));
  const extent = extentOf(heard);
  if (extent === null) return 'none of the streams named has a clock';
  let gaps: readonly Gap[] | null = null;
  for (const times of heard.map(timesOf)) {
    if (times === null || times.length === 0) continue;
    const own = gapsOf(times, longer_than_s, extent);
    gaps = (gaps === null ? own : common(gaps, own)).filter(([from, to]) => to - from > longer_than_s);
  }
  const edges = [extent.from_s, ...(gaps ?? []).flatMap(([last, next]) => [behind(last), next]), extent.to_s];
  return Array.from({ length: edges.length / 2 }, (_, at) => ({
    from_s: edges[2 * at],
    to_s: edges[2 * at + 1],
    begins: at === 0 ? 'recording' : 'gap',
    ends: edges[2 * at + 1] === end_s ? 'recording' : 'gap',
  }));
}

type Gap = readonly [last_s: number, next_s: number];

/** Last stamp before and first after each time without a sample, in order. */
function gapsOf(
  times: Float64Array,
  longer_than_s: number,
  { from_s, to_s }: { readonly from_s: number; readonly to_s: number },
): Gap[] {
  const found: Gap[] = [];
  let before = from_s;
  for (const time of times.filter(Number.isFinite).sort()) {
    if (time - before > longer_than_s) found.push([before, time]);
    before = time;
  }
  if (to_s - before > longer_than_s) found.push([before, to_s]);
  return found;
}

/** Where both are without a sample. */
function common(a: readonly Gap[], b: readonly Gap[]): Gap[] {
  const found: Gap[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const from = Math.max(a[i][0], b[j][0]);
    const to = Math.min(a[i][1], b[j][1]);
    if (to > from) found.push([from, to]);
    if (a[i][1] < b[j][1]) i++;
    else j++;
  }
  return found;
}

/** One that is too long becomes chunks of equal length, so that no short rest is left. */
function intoChunks(span: Span, { max_length_s, overlap_s }: Recipe): Span[] {
  const length_s = span.to_s - span.from_s;
  // A span ends just behind its last sample: that much is no excess.
  if (max_length_s === undefined || length_s <= behind(max_length_s) + 1e-6) return [span];
  const count = Math.min(mostSpans + 1, Math.ceil((length_s - overlap_s) / (max_length_s - overlap_s)));
  const own_s = (length_s + (count - 1) * overlap_s) / count;
  const start = (at: number) => span.from_s + at * (own_s - overlap_s);
  return Array.from({ length: count }, (_, at) => ({
    from_s: start(at),
    to_s: at === count - 1 ? span.to_s : start(at + 1) + overlap_s,
    begins: at === 0 ? span.begins : 'max_length',
    ends: at === count - 1 ? span.ends : 'max_length',
  }));
}

function uncovered(found: readonly Span[], from_s: number, to_s: number): Spans['between'] {
  const why = 'the recipe has it in no episode';
  const between: { from_s: number; to_s: number; why: string }[] = [];
  let covered = from_s;
  for (const span of found) {
    if (span.from_s > behind(covered)) between.push({ from_s: covered, to_s: span.from_s, why });
    covered = Math.max(covered, span.to_s);
  }
  if (to_s > behind(covered)) between.push({ from_s: covered, to_s, why });
  return between;
}

/** Why an episode begins or ends where it does. */
type Boundary = 'recording' | 'value' | 'edge' | 'message' | 'event' | 'gap' | 'window' | 'max_length';

/** A span of a recording in its own seconds; `to_s` is exclusive. */
export interface Span {
  readonly from_s: number;
  readonly to_s: number;
  readonly begins: Boundary;
  readonly ends: Boundary;
}

/** First and last stamp over all streams; `to_s` lies just behind the last. Null: nothing has a time. */
export function extentOf(streams: readonly Stream[]): { from_s: number; to_s: number } | null {
  let from_s = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const stream of streams) {
    for (const time of timesOf(stream) ?? []) {
      if (time < from_s) from_s = time;
      if (time > last) last = time;
    }
  }
  if (!(last >= from_s)) return null;
  return { from_s, to_s: behind(last) };
}

/** The least time that is surely later, so that a half-open span holds its last sample. */
function behind(time_s: number): number {
  return time_s + Math.max(1e-9, Math.abs(time_s) * 2 ** -50);
}

/**
 * First row whose stamp, or any before it, reaches `time_s`. Counting from the latest stamp so far keeps rows in one
 * piece where stamps go back, so that every row falls into exactly one span.
 */
export function rowAt(time_s: Float64Array, wanted: number): number {
  for (let row = 0; row < time_s.length; row++) if (time_s[row] >= wanted) return row;
  return time_s.length;
}

/** The stream of that id. Throws nothing: undefined where the recording has none. */
function streamOf({ streams }: Episode, id: string): Stream | undefined {
  return streams.find((stream) => stream.id === id);
}
