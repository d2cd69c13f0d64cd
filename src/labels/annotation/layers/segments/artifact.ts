import { type JsonObject, type JsonValue, significant } from '#core';
import { clockOf } from '#core/episode';
import { micro } from '../../micro.ts';
import type { GripperTrack } from '../../motion/gripper-events.ts';
import type { Motion } from '../../motion/motion.ts';
import { nominal_s } from './by-rows.ts';
import type { Span } from './spans.ts';

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
