import { type JsonObject, type JsonValue, significant } from '#core';
import { clockOf, type Stream } from '#core/episode';
import type { LaneEpisode } from '../../lane.ts';
import { micro } from '../../micro.ts';
import type { Extent } from '../../motion/extent.ts';
import type { GripperEvent, GripperTrack } from '../../motion/gripper-events.ts';
import type { Motion } from '../../motion/motion.ts';
import type { Boundary, MarkedSpan } from './boundary.ts';

/** A span as it is kept. */
export function spanJson(
  span: Span,
  motion: Motion | null,
  tracks: readonly GripperTrack[],
  contrast: number | null,
): JsonObject {
  const { from_s, to_s, kind, begins } = span;
  return {
    begins:
      begins === null
        ? null
        : {
            change: begins.change,
            contrast: contrast === null ? null : significant(contrast, 4),
            dimension: begins.dimension,
            stream: begins.stream,
            strength: significant(begins.strength, 4),
            type: begins.type,
          },
    from_s: micro(from_s),
    grippers: tracks.map((track) => heldDuring(track, (from_s + to_s) / 2)),
    kind,
    ...(motion === null || kind === 'unobserved' ? { most_moved: null, speed: null } : moved(motion, span)),
    to_s: micro(to_s),
  };
}

/** `open` or `closed` after its last change before a time; null while nobody knows. */
function heldDuring({ events }: GripperTrack, at_s: number): 'open' | 'closed' | null {
  if (events.length === 0) return null;
  let said = events[0].change === 'open' ? 'close' : events[0].change === 'close' ? 'open' : 'unknown';
  for (const event of events) {
    if (event.middle_s > at_s) break;
    said = event.change;
  }
  return said === 'unknown' ? null : said === 'open' ? 'open' : 'closed';
}

/** Mean speed as a share of the episode's typical one, and which dimension moves most, in spans of its range. */
function moved({ moving, speed, typical }: Motion, { bins: [from, to] }: Span): JsonObject {
  let total = 0;
  for (let b = from; b < to; b++) total += speed[b];
  let most = 0;
  let most_moved: JsonObject | null = null;
  for (const { column, velocity } of moving) {
    let path = 0;
    for (let b = from; b < to; b++) path += Math.abs(velocity[b]);
    if (path <= most) continue;
    most = path;
    const { stream, dimension } = column;
    most_moved = { dimension, name: stream.names?.[dimension] ?? null, stream: stream.id };
  }
  const mean = to > from ? total / (to - from) : 0;
  return { most_moved, speed: typical > 0 ? significant(mean / typical, 4) : 0 };
}

/** What was looked at, so that nobody has to guess it from the spans. */
export function motionJson({ source, bins, moving, rest, typical }: Motion): JsonObject {
  const { rows, rows_per_bin } = bins;
  const [primary] = source.streams;
  const clock = clockOf(primary)!;
  const used = new Set(moving.map(({ column }) => column));
  const places = (columns: Motion['bins']['columns']) =>
    columns.map(({ stream, dimension }) => ({ dimension, stream: stream.id }));
  return {
    clock: { name: clock.name, provenance: clock.provenance, stream: primary.id },
    dimensions_at_rest: places(bins.columns.filter((column) => !used.has(column))),
    dimensions_used: places(moving.map(({ column }) => column)),
    dimensions_without_numbers: places(rows.sparse),
    rest_speed: significant(rest),
    role: source.role,
    rows_out_of_order: rows.out_of_order,
    rows_per_bin,
    streams: source.streams.map(({ id }) => id),
    typical_speed: significant(typical),
  };
}

/** Spans of an episode without a clock, by its rows (`to_row` is the first of the next), and whose motion was looked at. */
export function rowsJson({ grippers, motion, segments }: JsonObject): JsonObject {
  const { dimensions_at_rest, dimensions_used, role, streams } = motion as JsonObject;
  const rowAt = (time_s: JsonValue) => Math.round(Number(time_s) / nominal_s);
  return {
    grippers,
    motion: { dimensions_at_rest, dimensions_used, role, streams },
    segments: (segments as readonly JsonObject[]).map(({ from_s, to_s, ...rest }) => ({
      ...rest,
      from_row: rowAt(from_s),
      to_row: rowAt(to_s),
    })),
  };
}

/** What a row is taken to last where nobody knows, so that motions can be told from rests; no time is told from it. */
const nominal_s = 0.05;

/** The episode with the numbers of its rows for a clock; null where a stream has a clock. */
export function withRowClock(episode: LaneEpisode): LaneEpisode | null {
  if (episode.streams.some(({ clock }) => clock !== null)) return null;
  const stamps = new Map<number, Float64Array>();
  const streams = episode.streams.map((stream): Stream => {
    const count = stream.sample_count;
    const time_s = stamps.get(count) ?? Float64Array.from({ length: count }, (_, row) => row * nominal_s);
    stamps.set(count, time_s);
    return {
      ...stream,
      clocks: [{ name: 'row', provenance: 'synthesised', time_s }],
      clock: { index: 0, reason: 'numbers of rows: nothing tells their time' },
    };
  });
  return { ...episode, streams };
}

/**
 * What a span is, by what takes at least half of it, the first that does:
 * - `unobserved`: the motion was not recorded;
 * - `gripper_close`, `gripper_open`: a gripper goes the one way or the other; `gripper_change`: nobody knows which;
 * - `still`: nothing moves;
 * - `move`: everything else.
 */
type SpanKind = 'unobserved' | 'gripper_close' | 'gripper_open' | 'gripper_change' | 'still' | 'move';

export interface Span extends MarkedSpan {
  readonly kind: SpanKind;
  /** Why it begins where it does; null: the episode begins. */
  readonly begins: Boundary | null;
  /** Bins whose middle lies in it, `from..to` (exclusive). */
  readonly bins: readonly [from: number, to: number];
}

const kindOfChange = {
  close: 'gripper_close',
  open: 'gripper_open',
  unknown: 'gripper_change',
} as const satisfies Record<GripperEvent['change'], SpanKind>;

/** The spans between boundaries, without boundaries that have the same rest on both sides. */
export function spansOf(
  motion: Motion,
  tracks: readonly GripperTrack[],
  unobserved: readonly MarkedSpan[],
  boundaries: readonly Boundary[],
  extent: Extent,
): Span[] {
  const { from_s, to_s } = motion.bins;
  const marked: (MarkedSpan & { readonly kind: SpanKind })[] = [
    ...unobserved.map((span) => ({ ...span, kind: 'unobserved' as const })),
    ...tracks.flatMap(({ events }) =>
      events.map((event) => ({
        from_s: event.from_s,
        to_s: event.to_s,
        kind: kindOfChange[event.change],
      })),
    ),
    ...motion.still.map(([from, to]) => ({
      from_s: from_s[from],
      to_s: to_s[to - 1],
      kind: 'still' as const,
    })),
  ];
  const starts = [extent.from_s, ...boundaries.map(({ at_s }) => at_s), extent.to_s];
  const covers = coverage(marked, starts);
  const spans = starts.slice(1).map((end_s, i): Span => {
    const [start_s] = [starts[i]];
    return {
      from_s: start_s,
      to_s: end_s,
      kind: kindBy(covers[i], end_s - start_s),
      begins: i === 0 ? null : boundaries[i - 1],
      bins: [firstBin(motion, start_s), firstBin(motion, end_s)],
    };
  });
  return joined(spans);
}

type Cover = Partial<Record<SpanKind, number>>;

/** Seconds of each kind in each span. */
function coverage(
  marked: readonly (MarkedSpan & { readonly kind: SpanKind })[],
  starts: readonly number[],
): Cover[] {
  const covers = starts.slice(1).map((): Cover => ({}));
  for (const { from_s, to_s, kind } of marked)
    for (let i = spanAt(starts, from_s); i < covers.length && starts[i] < to_s; i++) {
      const seconds = Math.min(to_s, starts[i + 1]) - Math.max(from_s, starts[i]);
      covers[i][kind] = (covers[i][kind] ?? 0) + Math.max(0, seconds);
    }
  return covers;
}

function spanAt(starts: readonly number[], at_s: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle] <= at_s) low = middle;
    else high = middle - 1;
  }
  return low;
}

const byRank: readonly SpanKind[] = [
  'unobserved',
  'gripper_close',
  'gripper_open',
  'gripper_change',
  'still',
];

function kindBy(cover: Cover, lasts_s: number): SpanKind {
  return byRank.find((kind) => (cover[kind] ?? 0) >= 0.5 * lasts_s && lasts_s > 0) ?? 'move';
}

/** The first bin whose middle is not before a time. */
function firstBin({ bins: { middle_s, count } }: Motion, at_s: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (middle_s[middle] < at_s) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Boundaries that stay between two rests. */
const events: ReadonlySet<Boundary['type']> = new Set(['flight_phase', 'gripper', 'scene_cut']);

function joined(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    const isEvent = span.begins !== null && events.has(span.begins.type);
    const isSame = last !== undefined && last.kind === 'still' && span.kind === 'still' && !isEvent;
    if (isSame) out[out.length - 1] = { ...last, to_s: span.to_s, bins: [last.bins[0], span.bins[1]] };
    else out.push(span);
  }
  return out;
}
