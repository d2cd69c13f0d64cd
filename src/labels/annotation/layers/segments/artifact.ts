import { type JsonObject, type JsonValue, significant } from '#core';
import { clockOf, type Stream } from '#core/episode';
import { type LaneEpisode, roundToMicroseconds } from '../../lane.ts';
import type { GripperEvent, GripperTrack } from '../../motion/gripper-events.ts';
import type { Motion } from '../../motion/motion.ts';
import type { Boundary, Extent, TimeSpan } from './boundaries.ts';

/**
 * Returns the artifact entry of a span as JSON: times, kind, what begins it, gripper states and motion. `contrast`:
 * how much the motion changes where the span begins.
 */
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
    from_s: roundToMicroseconds(from_s),
    grippers: tracks.map((track) => gripperStateAt(track, (from_s + to_s) / 2)),
    kind,
    ...(motion === null || kind === 'unobserved'
      ? { most_moved: null, speed: null }
      : motionDuring(motion, span)),
    to_s: roundToMicroseconds(to_s),
  };
}

/** Returns the gripper state after its last change before a time, or before its first change; `null` if unknown. */
function gripperStateAt({ events }: GripperTrack, at_s: number): 'open' | 'closed' | null {
  if (events.length === 0) return null;
  let change = events[0].change === 'open' ? 'close' : events[0].change === 'close' ? 'open' : 'unknown';
  for (const event of events) {
    if (event.middle_s > at_s) break;
    change = event.change;
  }
  return change === 'unknown' ? null : change === 'open' ? 'open' : 'closed';
}

/** Returns the mean speed as a fraction of the episode's typical speed, and the dimension with the longest path. */
function motionDuring({ moving, speed, typical_speed }: Motion, { bins: [from, to] }: Span): JsonObject {
  let total = 0;
  for (let b = from; b < to; b++) total += speed[b];
  let longestPath = 0;
  let most_moved: JsonObject | null = null;
  for (const { column, velocity } of moving) {
    let path = 0;
    for (let b = from; b < to; b++) path += Math.abs(velocity[b]);
    if (path <= longestPath) continue;
    longestPath = path;
    const { stream, dimension } = column;
    most_moved = { dimension, name: stream.names?.[dimension] ?? null, stream: stream.id };
  }
  const mean = to > from ? total / (to - from) : 0;
  return { most_moved, speed: typical_speed > 0 ? significant(mean / typical_speed, 4) : 0 };
}

/** Returns the measured motion as JSON: clock, streams, used and ignored dimensions, speeds. */
export function motionJson({ source, bins, moving, rest_speed, typical_speed }: Motion): JsonObject {
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
    dimensions_without_numbers: places(rows.sparse_columns),
    rest_speed: significant(rest_speed),
    role: source.role,
    rows_out_of_order: rows.out_of_order,
    rows_per_bin,
    streams: source.streams.map(({ id }) => id),
    typical_speed: significant(typical_speed),
  };
}

/** Converts a segments artifact of an episode with `withRowClock` from times to row numbers; `to_row` is exclusive. */
export function rowsJson({ grippers, motion, segments }: JsonObject): JsonObject {
  const { dimensions_at_rest, dimensions_used, role, streams } = motion as JsonObject;
  const rowAt = (time_s: JsonValue) => Math.round(Number(time_s) / rowDuration_s);
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

/**
 * Assumed duration of a row for episodes without a clock. It separates motion from rest; no times are reported from
 * it.
 */
const rowDuration_s = 0.05;

/**
 * Returns a copy of the episode whose streams all have their row numbers as clock; `null` if any stream has a clock.
 */
export function withRowClock(episode: LaneEpisode): LaneEpisode | null {
  if (episode.streams.some(({ clock }) => clock !== null)) return null;
  const stamps = new Map<number, Float64Array>();
  const streams = episode.streams.map((stream): Stream => {
    const count = stream.sample_count;
    const time_s = stamps.get(count) ?? Float64Array.from({ length: count }, (_, row) => row * rowDuration_s);
    stamps.set(count, time_s);
    return {
      ...stream,
      clocks: [{ name: 'row', provenance: 'synthesised', time_s }],
      clock: { index: 0, reason: 'row indices, because the rows have no timestamps' },
    };
  });
  return { ...episode, streams };
}

/**
 * Kind of a span: the first of these that covers at least half of it.
 * - `unobserved`: the motion was not recorded;
 * - `gripper_close`, `gripper_open`: a gripper closes or opens; `gripper_change`: the direction is unknown;
 * - `still`: nothing moves;
 * - `move`: everything else.
 */
type SpanKind = 'unobserved' | 'gripper_close' | 'gripper_open' | 'gripper_change' | 'still' | 'move';

/** A segment of the episode. */
export interface Span extends TimeSpan {
  readonly kind: SpanKind;
  /** Boundary that it starts with; `null` for the first span. */
  readonly begins: Boundary | null;
  /** Range of bins whose midpoint lies in it, `from..to` (exclusive). */
  readonly bins: readonly [from: number, to: number];
}

const kindByChange = {
  close: 'gripper_close',
  open: 'gripper_open',
  unknown: 'gripper_change',
} as const satisfies Record<GripperEvent['change'], SpanKind>;

/**
 * Builds one span between every two boundaries, of the kind that covers most of it, and merges adjacent `still`
 * spans unless an event separates them.
 */
export function buildSpans(
  motion: Motion,
  tracks: readonly GripperTrack[],
  unobserved: readonly TimeSpan[],
  boundaries: readonly Boundary[],
  extent: Extent,
): Span[] {
  const { from_s, to_s } = motion.bins;
  const marked: (TimeSpan & { readonly kind: SpanKind })[] = [
    ...unobserved.map((span) => ({ ...span, kind: 'unobserved' as const })),
    ...tracks.flatMap(({ events }) =>
      events.map((event) => ({
        from_s: event.from_s,
        to_s: event.to_s,
        kind: kindByChange[event.change],
      })),
    ),
    ...motion.rests.map(([from, to]) => ({
      from_s: from_s[from],
      to_s: to_s[to - 1],
      kind: 'still' as const,
    })),
  ];
  const starts = [extent.from_s, ...boundaries.map(({ at_s }) => at_s), extent.to_s];
  const covers = secondsByKind(marked, starts);
  const spans = starts.slice(1).map((end_s, i): Span => {
    const [start_s] = [starts[i]];
    return {
      from_s: start_s,
      to_s: end_s,
      kind: dominantKind(covers[i], end_s - start_s),
      begins: i === 0 ? null : boundaries[i - 1],
      bins: [firstBin(motion, start_s), firstBin(motion, end_s)],
    };
  });
  return mergeRests(spans);
}

type KindSeconds = Partial<Record<SpanKind, number>>;

/** Returns the seconds of each kind in each span. */
function secondsByKind(
  marked: readonly (TimeSpan & { readonly kind: SpanKind })[],
  starts: readonly number[],
): KindSeconds[] {
  const covers = starts.slice(1).map((): KindSeconds => ({}));
  for (const { from_s, to_s, kind } of marked)
    for (let i = spanIndexAt(starts, from_s); i < covers.length && starts[i] < to_s; i++) {
      const seconds = Math.min(to_s, starts[i + 1]) - Math.max(from_s, starts[i]);
      covers[i][kind] = (covers[i][kind] ?? 0) + Math.max(0, seconds);
    }
  return covers;
}

function spanIndexAt(starts: readonly number[], at_s: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle] <= at_s) low = middle;
    else high = middle - 1;
  }
  return low;
}

const kindPriority: readonly SpanKind[] = [
  'unobserved',
  'gripper_close',
  'gripper_open',
  'gripper_change',
  'still',
];

function dominantKind(cover: KindSeconds, lasts_s: number): SpanKind {
  return kindPriority.find((kind) => (cover[kind] ?? 0) >= 0.5 * lasts_s && lasts_s > 0) ?? 'move';
}

/** Returns the first bin whose midpoint is not before a time. */
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

/** Boundary types that separate two rests. */
const eventTypes: ReadonlySet<Boundary['type']> = new Set(['flight_phase', 'gripper', 'scene_cut']);

function mergeRests(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    const isEvent = span.begins !== null && eventTypes.has(span.begins.type);
    const isSame = last !== undefined && last.kind === 'still' && span.kind === 'still' && !isEvent;
    if (isSame) out[out.length - 1] = { ...last, to_s: span.to_s, bins: [last.bins[0], span.bins[1]] };
    else out.push(span);
  }
  return out;
}
