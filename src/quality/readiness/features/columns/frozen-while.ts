import type { Series, Stream } from '#core/episode';
import { keepLargest, type Span } from '../clocks/clock-features.ts';
import { movementWithin, rangeWithin, rowIn } from '../movement.ts';
import type { StreamFeatures } from '../stream-features.ts';
import { samplesOf } from './columns.ts';
import { widestRange } from './dimension-leaps.ts';

/** Runs that stand still while the other stream moves on. */
export interface FrozenWhile {
  readonly still: FrozenRows;
  /** Commands that are set and kept by design, as keys and velocities are. */
  readonly set_points: boolean;
  /** Rows of the runs during which the other stream moved. */
  readonly rows: number;
  readonly runs: readonly Span[];
}

const leastRange = 0.05;
/** The other stream has moved when one of its dimensions crossed this share of its own range. */
const moved = 0.1;

export interface Moving {
  readonly stream: Stream;
  readonly features: StreamFeatures;
  /** Dimensions of hands and switches, which move by themselves while an arm rests. */
  readonly hands: ReadonlySet<number>;
}

/**
 * Runs of at least `fewest` equal rows of one stream, and those during which `other` moved. Commands may be set and
 * kept by design, and a robot may be on its way to the command that waits for it: neither is a stand-still.
 */
export function frozenWhile(still: Moving, other: Moving | null, fewest: number): FrozenWhile {
  const series = still.stream.series!;
  const frozen = frozenRows(series, fewest);
  const command = still.stream.role === 'action';
  const set_points = command && areSetPoints(frozen, still.features.samples);
  if (other === null || frozen.runs.length === 0 || set_points)
    return { still: frozen, set_points, rows: 0, runs: [] };
  const floor = leastRange * widestRange(other.features);
  let rows = 0;
  const runs = frozen.runs.filter(({ from, to, size }) => {
    const first = rowIn(other.stream, still.stream, from);
    const last = rowIn(other.stream, still.stream, to);
    if (movementWithin(other.stream.series!, other.features, first, last, floor, other.hands) < moved)
      return false;
    if (command && comesTo(other, still, from, first, last, floor)) return false;
    rows += size;
    return true;
  });
  return { still: frozen, set_points, rows, runs };
}

/** Commands of a keyboard, or velocities: kept most of the time, in several spans of which none is most. */
const setPoints = { share: 0.5, runs: 4, longest: 0.6 } as const;

function areSetPoints({ rows, count, runs }: FrozenRows, samples: number): boolean {
  if (rows < setPoints.share * samples || count < setPoints.runs) return false;
  let longest = 0;
  for (const { size } of runs) longest = Math.max(longest, size);
  return longest <= setPoints.longest * rows;
}

/** A robot that comes to its command was this far from it, of the way it made, and headed for it (cosine). */
const comesFrom = 0.5;
const heads = 0.8;

/** The robot drives to where the command rests: a follower to its leader, or an arm to its target. */
function comesTo(
  robot: Moving,
  command: Moving,
  row: number,
  first: number,
  last: number,
  floor: number,
): boolean {
  const { dims, minimum, maximum } = robot.features;
  if (dims !== command.features.dims) return false;
  const { values: at } = robot.stream.series!;
  const { values: target } = command.stream.series!;
  let [away, way, along] = [0, 0, 0];
  for (let d = 0; d < dims; d++) {
    const range = maximum[d] - minimum[d];
    const made = (at[last * dims + d] - at[first * dims + d]) / range;
    if (!(range > floor && Math.abs(made) > leastRange) || robot.hands.has(d)) continue;
    const wanted = (target[row * dims + d] - at[first * dims + d]) / range;
    away += wanted * wanted;
    way += made * made;
    along += wanted * made;
  }
  return away > comesFrom ** 2 * way && along > heads * Math.sqrt(away * way);
}

/** One dimension that stands still while its partner in the other stream crosses a good part of its range. */
export interface StuckDimension {
  readonly dimension: number;
  readonly share: number;
  readonly run: Span;
}

const partnerMoved = 0.3;

/** The dimension stuck longest, for streams of equal dimensions; null without any. */
export function stuckDimension(still: Moving, other: Moving, fewest: number): StuckDimension | null {
  const { columns, dims, samples } = still.features;
  if (other.features.dims !== dims) return null;
  const floor = leastRange * widestRange(other.features);
  let best: StuckDimension | null = null;
  for (let d = 0; d < dims; d++) {
    const size = columns.run_length[d];
    if (
      size < fewest ||
      columns.non_finite[d] > 0 ||
      still.hands.has(d) ||
      (best !== null && size <= best.run.size)
    )
      continue;
    const range = other.features.maximum[d] - other.features.minimum[d];
    if (!(range > floor) || other.hands.has(d)) continue;
    const from = columns.run_from[d];
    const to = from + size - 1;
    const first = rowIn(other.stream, still.stream, from);
    const last = rowIn(other.stream, still.stream, to);
    if (rangeWithin(other.stream.series!, d, first, last) < partnerMoved * range) continue;
    best = { dimension: d, share: size / samples, run: { from, to, size } };
  }
  return best;
}

/** Runs of rows in which no dimension changes at all. Sensors are noisy: a resting arm does not repeat exactly. */
export interface FrozenRows {
  /** Rows inside runs of at least `fewest` rows, and how many such runs there are. */
  readonly rows: number;
  readonly count: number;
  /** Rows equal to the one before. */
  readonly repeated: number;
  /** The longest runs, at most 8, in order of time; `size` counts rows. */
  readonly runs: readonly Span[];
}

function frozenRows(series: Series, fewest: number): FrozenRows {
  const { values, dims } = series;
  const samples = samplesOf(series);
  const runs: Span[] = [];
  let rows = 0;
  let count = 0;
  let changed = 0;
  let start = 0;
  for (let i = 1; i <= samples; i++) {
    if (i < samples && repeats(values, dims, i)) continue;
    const length = i - start;
    changed++;
    if (length >= fewest) {
      rows += length;
      count++;
      keepLargest(runs, { from: start, to: i - 1, size: length });
    }
    start = i;
  }
  runs.sort((a, b) => a.from - b.from);
  return { rows, count, repeated: samples - changed, runs };
}

function repeats(values: Series['values'], dims: number, row: number): boolean {
  const at = row * dims;
  for (let d = 0; d < dims; d++) if (values[at + d] !== values[at + d - dims]) return false;
  return true;
}
