import { type Episode, type Stream, timesOf } from '#core/episode';
import type { Recipe, Split } from './recipe.ts';

/** Result of applying a recipe to a recording. */
export interface SplitResult {
  readonly spans: readonly Span[];
  /** Time spans in no episode, with the reason. */
  readonly leftOver: readonly { readonly from_s: number; readonly to_s: number; readonly why: string }[];
  /** Reason if the recipe could not be followed (the recording then stays whole); `null` on success. */
  readonly failure: string | null;
}

const maxSpans = 100_000;

/**
 * Returns the time spans of the episodes that a recipe makes of a recording, and what is left out; if it cannot be
 * followed, one span and the reason as `failure`. Pure.
 */
export function findSpans(episode: Episode, recipe: Recipe): SplitResult {
  const extent = computeExtent(episode.streams);
  if (extent === null)
    return wholeRecording(0, 0, recipe.split.by === 'whole' ? null : 'none of its streams has timestamps');
  const { from_s, to_s } = extent;
  const found = splitRecording(episode, recipe.split, from_s, to_s);
  if (typeof found === 'string') return wholeRecording(from_s, to_s, found);
  const chunks = found.flatMap((span) => chunkSpan(span, recipe));
  if (chunks.length > maxSpans)
    return wholeRecording(from_s, to_s, `it would be split into more than ${maxSpans} episodes`);
  const isLong = ({ from_s, to_s }: Span) => to_s - from_s >= recipe.min_length_s;
  const short = chunks.filter((span) => !isLong(span));
  const tooShort = `shorter than min_length_s of the recipe, ${recipe.min_length_s} s`;
  return {
    spans: chunks.filter(isLong),
    leftOver: [
      ...findUncovered(found, from_s, to_s),
      ...short.map(({ from_s, to_s }) => ({ from_s, to_s, why: tooShort })),
    ].sort((a, b) => a.from_s - b.from_s),
    failure: null,
  };
}

function wholeRecording(from_s: number, to_s: number, failure: string | null): SplitResult {
  return { spans: [{ from_s, to_s, begins: 'recording', ends: 'recording' }], leftOver: [], failure };
}

/** Returns the spans of a split rule, or the reason why it cannot be followed. */
function splitRecording(episode: Episode, rule: Split, from_s: number, to_s: number): Span[] | string {
  if (rule.by === 'whole') return [{ from_s, to_s, begins: 'recording', ends: 'recording' }];
  if (rule.by === 'window') return windows(rule.length_s, rule.overlap_s, from_s, to_s);
  if (rule.by === 'gap') return spansBetweenGaps(episode, rule, to_s);
  if (rule.by === 'event') {
    const timesOfEvents = (label: string) =>
      episode.events.filter((event) => event.label === label).map(({ time_s }) => time_s);
    const begins = timesOfEvents(rule.label);
    return spansFromMarks(
      begins,
      rule.end_label === undefined ? null : timesOfEvents(rule.end_label),
      to_s,
      'event',
    );
  }
  const stream = streamOf(episode, rule.stream);
  if (stream === undefined) return missingStreamReason(episode, rule.stream);
  const times = timesOf(stream);
  if (times === null) return `${rule.stream} has no timestamps`;
  if (rule.by === 'message') {
    const end = rule.end_stream === undefined ? null : streamOf(episode, rule.end_stream);
    if (end === undefined) return missingStreamReason(episode, rule.end_stream ?? '');
    return spansFromMarks([...times], end === null ? null : [...(timesOf(end) ?? [])], to_s, 'message');
  }
  const values = readColumn(stream, rule.dimension);
  if (typeof values === 'string') return values;
  return rule.by === 'value'
    ? spansWhileInside(values, times, to_s, rule)
    : spansFromMarks(findEdges(values, times, rule), null, to_s, 'edge');
}

function missingStreamReason({ streams }: Episode, id: string): string {
  const some = streams.slice(0, 12).map((stream) => stream.id);
  return `it has no stream ${id}; available streams: ${some.join(', ')}${streams.length > some.length ? ', …' : ''}`;
}

function readColumn({ id, series, names }: Stream, dimension: number | string): Float64Array | string {
  if (series === undefined) return `${id} has no numeric values`;
  const { values, dims } = series;
  const index = typeof dimension === 'number' ? dimension : (names?.indexOf(dimension) ?? -1);
  if (index < 0 || index >= dims) return `${id} has no dimension ${dimension}`;
  return Float64Array.from({ length: values.length / dims }, (_, row) => values[row * dims + index]);
}

/** Returns spans from each begin mark to the next one, or to the first end mark in between. */
function spansFromMarks(
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
    const end = ends !== null && stop < stops.length && stops[stop] < next ? justAfter(stops[stop]) : next;
    return { from_s, to_s: end, begins: by, ends: end === to_s ? 'recording' : by };
  });
}

function findEdges(
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

function spansWhileInside(
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
  // The last sample must not start a window.
  const count = Math.max(1, Math.ceil((to_s - from_s - overlap_s - 1e-6) / step));
  if (count > maxSpans) return `it would be split into more than ${maxSpans} windows`;
  const start = (at: number) => from_s + at * step;
  return Array.from({ length: count }, (_, at) => ({
    from_s: start(at),
    to_s: at === count - 1 ? to_s : start(at + 1) + overlap_s,
    begins: at === 0 ? 'recording' : 'window',
    ends: at === count - 1 ? 'recording' : 'window',
  }));
}

/** Returns the spans between gaps, in which none of the streams has a sample. */
function spansBetweenGaps(
  episode: Episode,
  { longer_than_s, streams }: Extract<Split, { by: 'gap' }>,
  end_s: number,
): Span[] | string {
  const absent = streams?.find((id) => streamOf(episode, id) === undefined);
  if (absent !== undefined) return missingStreamReason(episode, absent);
  const heard = episode.streams.filter(({ id }) => streams === undefined || streams.includes(id));
  const extent = computeExtent(heard);
  if (extent === null) return 'none of the given streams has timestamps';
  let gaps: readonly Gap[] | null = null;
  for (const times of heard.map(timesOf)) {
    if (times === null || times.length === 0) continue;
    const streamGaps = findGaps(times, longer_than_s, extent);
    gaps = (gaps === null ? streamGaps : intersectGaps(gaps, streamGaps)).filter(
      ([from, to]) => to - from > longer_than_s,
    );
  }
  const edges = [
    extent.from_s,
    ...(gaps ?? []).flatMap(([last, next]) => [justAfter(last), next]),
    extent.to_s,
  ];
  return Array.from({ length: edges.length / 2 }, (_, at) => ({
    from_s: edges[2 * at],
    to_s: edges[2 * at + 1],
    begins: at === 0 ? 'recording' : 'gap',
    ends: edges[2 * at + 1] === end_s ? 'recording' : 'gap',
  }));
}

type Gap = readonly [last_s: number, next_s: number];

/** Returns the last time before and the first time after each gap, in order. */
function findGaps(
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

/** Returns the intersections of two lists of gaps. */
function intersectGaps(a: readonly Gap[], b: readonly Gap[]): Gap[] {
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

/** Divides a span that is too long into chunks of equal length, so that no short rest remains. */
function chunkSpan(span: Span, { max_length_s, overlap_s }: Recipe): Span[] {
  const length_s = span.to_s - span.from_s;
  // A span ends just after its last sample; that does not count.
  if (max_length_s === undefined || length_s <= justAfter(max_length_s) + 1e-6) return [span];
  const count = Math.min(maxSpans + 1, Math.ceil((length_s - overlap_s) / (max_length_s - overlap_s)));
  const own_s = (length_s + (count - 1) * overlap_s) / count;
  const start = (at: number) => span.from_s + at * (own_s - overlap_s);
  return Array.from({ length: count }, (_, at) => ({
    from_s: start(at),
    to_s: at === count - 1 ? span.to_s : start(at + 1) + overlap_s,
    begins: at === 0 ? span.begins : 'max_length',
    ends: at === count - 1 ? span.ends : 'max_length',
  }));
}

function findUncovered(found: readonly Span[], from_s: number, to_s: number): SplitResult['leftOver'] {
  const why = 'not covered by the recipe';
  const between: { from_s: number; to_s: number; why: string }[] = [];
  let covered = from_s;
  for (const span of found) {
    if (span.from_s > justAfter(covered)) between.push({ from_s: covered, to_s: span.from_s, why });
    covered = Math.max(covered, span.to_s);
  }
  if (to_s > justAfter(covered)) between.push({ from_s: covered, to_s, why });
  return between;
}

/** Why an episode begins or ends at a time. */
type Boundary = 'recording' | 'value' | 'edge' | 'message' | 'event' | 'gap' | 'window' | 'max_length';

/** A time span of a recording in seconds; `to_s` is exclusive. */
export interface Span {
  readonly from_s: number;
  readonly to_s: number;
  readonly begins: Boundary;
  readonly ends: Boundary;
}

/** Returns the first and last time over all streams, `to_s` just after the last; `null` if no stream has a time. */
export function computeExtent(streams: readonly Stream[]): { from_s: number; to_s: number } | null {
  let from_s = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const stream of streams) {
    for (const time of timesOf(stream) ?? []) {
      if (time < from_s) from_s = time;
      if (time > last) last = time;
    }
  }
  if (!(last >= from_s)) return null;
  return { from_s, to_s: justAfter(last) };
}

/** Returns a slightly later time, so that a half-open span includes its last sample. */
function justAfter(time_s: number): number {
  return time_s + Math.max(1e-9, Math.abs(time_s) * 2 ** -50);
}

/**
 * Returns the first row whose time, or any earlier row's time, reaches `start_s`; the row count if none does. Using the
 * first row keeps the rows contiguous where times go back, so that every row falls into exactly one span.
 */
export function findFirstRow(time_s: Float64Array, start_s: number): number {
  for (let row = 0; row < time_s.length; row++) if (time_s[row] >= start_s) return row;
  return time_s.length;
}

/** Returns the stream with this id, or undefined. */
function streamOf({ streams }: Episode, id: string): Stream | undefined {
  return streams.find((stream) => stream.id === id);
}
