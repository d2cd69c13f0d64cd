import type { Series, Stream } from '#core/episode';
import { keepLargest, type Span } from './clock-features.ts';
import { countSamples } from './columns.ts';
import { computeWidestRange } from './dimension-leaps.ts';
import type { StreamFeatures } from './stream-features.ts';
import { computeMovement, computeRange, matchRow } from './stream-rows.ts';

/** Runs of equal rows in one stream while the other stream moves. */
export interface FrozenComparison {
  readonly still: FrozenRows;
  /** `true` if the stream holds set points, which are constant by design (keyboard commands, velocities). */
  readonly set_points: boolean;
  /** Number of rows in the runs during which the other stream moved. */
  readonly rows: number;
  readonly runs: readonly Span[];
}

const minRangeFraction = 0.05;
/** Minimum movement of the other stream, as a fraction of the range of one of its dimensions. */
const minOtherMovement = 0.1;

/** A stream with the features that motion comparisons need. */
export interface MovingStream {
  readonly stream: Stream;
  readonly features: StreamFeatures;
  /** Dimensions of hands and switches, which move independently while an arm rests. */
  readonly hands: ReadonlySet<number>;
}

/**
 * Finds runs of at least `minRows` equal rows in one stream (`still`), and those of them during which `other` moved
 * (`runs`; none without `other`). Set points, and commands that the robot is still approaching, do not count.
 */
export function measureFrozen(
  still: MovingStream,
  other: MovingStream | null,
  minRows: number,
): FrozenComparison {
  const series = still.stream.series!;
  const frozen = findFrozenRows(series, minRows);
  const command = still.stream.role === 'action';
  const set_points = command && areSetPoints(frozen, still.features.samples);
  if (other === null || frozen.runs.length === 0 || set_points)
    return { still: frozen, set_points, rows: 0, runs: [] };
  const floor = minRangeFraction * computeWidestRange(other.features);
  let rows = 0;
  const runs = frozen.runs.filter(({ from, to, size }) => {
    const first = matchRow(other.stream, still.stream, from);
    const last = matchRow(other.stream, still.stream, to);
    if (
      computeMovement(other.stream.series!, other.features, first, last, floor, other.hands) <
      minOtherMovement
    )
      return false;
    if (command && approachesCommand(other, still, from, first, last, floor)) return false;
    rows += size;
    return true;
  });
  return { still: frozen, set_points, rows, runs };
}

/**
 * Criteria for set points: constant in at least this share of the rows, in at least this many runs, none
 * longer than this share of the constant rows.
 */
const setPointLimits = { share: 0.5, runs: 4, longest: 0.6 } as const;

function areSetPoints({ rows, count, runs }: FrozenRows, samples: number): boolean {
  if (rows < setPointLimits.share * samples || count < setPointLimits.runs) return false;
  let longest = 0;
  for (const { size } of runs) longest = Math.max(longest, size);
  return longest <= setPointLimits.longest * rows;
}

/**
 * A robot approaches its command if it was at least this far from it, relative to the distance moved, and
 * moved in its direction (cosine).
 */
const minApproachRatio = 0.5;
const minApproachCosine = 0.8;

/**
 * Returns `true` if the robot moves towards the constant command: a follower to its leader, or an arm to its
 * target.
 */
function approachesCommand(
  robot: MovingStream,
  command: MovingStream,
  row: number,
  first: number,
  last: number,
  floor: number,
): boolean {
  const { dims, minimum, maximum } = robot.features;
  if (dims !== command.features.dims) return false;
  const { values: at } = robot.stream.series!;
  const { values: target } = command.stream.series!;
  let [targetSquares, movedSquares, dotProduct] = [0, 0, 0];
  for (let d = 0; d < dims; d++) {
    const range = maximum[d] - minimum[d];
    const movement = (at[last * dims + d] - at[first * dims + d]) / range;
    if (!(range > floor && Math.abs(movement) > minRangeFraction) || robot.hands.has(d)) continue;
    const required = (target[row * dims + d] - at[first * dims + d]) / range;
    targetSquares += required * required;
    movedSquares += movement * movement;
    dotProduct += required * movement;
  }
  return (
    targetSquares > minApproachRatio ** 2 * movedSquares &&
    dotProduct > minApproachCosine * Math.sqrt(targetSquares * movedSquares)
  );
}

/**
 * A dimension that is constant while its counterpart in the other stream crosses a large part of its range.
 */
export interface StuckDimension {
  readonly dimension: number;
  readonly share: number;
  readonly run: Span;
}

const minPartnerMovement = 0.3;

/**
 * Finds the dimension that repeats its value longest, for at least `minRows`, while the same dimension of `other`
 * moves; `null` if there is none or the streams differ in dimensions. Grippers, hands and dimensions with non-finite
 * values are ignored.
 */
export function findStuckDimension(
  still: MovingStream,
  other: MovingStream,
  minRows: number,
): StuckDimension | null {
  const { columns, dims, samples } = still.features;
  if (other.features.dims !== dims) return null;
  const floor = minRangeFraction * computeWidestRange(other.features);
  let best: StuckDimension | null = null;
  for (let d = 0; d < dims; d++) {
    const size = columns.run_length[d];
    if (
      size < minRows ||
      columns.non_finite[d] > 0 ||
      still.hands.has(d) ||
      (best !== null && size <= best.run.size)
    )
      continue;
    const range = other.features.maximum[d] - other.features.minimum[d];
    if (!(range > floor) || other.hands.has(d)) continue;
    const from = columns.run_from[d];
    const to = from + size - 1;
    const first = matchRow(other.stream, still.stream, from);
    const last = matchRow(other.stream, still.stream, to);
    if (computeRange(other.stream.series!, d, first, last) < minPartnerMovement * range) continue;
    best = { dimension: d, share: size / samples, run: { from, to, size } };
  }
  return best;
}

/**
 * Runs of rows in which no dimension changes at all. Sensors are noisy, so even a resting arm does not repeat
 * exactly.
 */
export interface FrozenRows {
  /** Number of rows inside runs of at least `minRows` rows, and number of such runs. */
  readonly rows: number;
  readonly count: number;
  /** Number of rows equal to the previous one. */
  readonly repeated: number;
  /** The longest runs, at most 8, in time order; `size` is the number of rows. */
  readonly runs: readonly Span[];
}

function findFrozenRows(series: Series, minRows: number): FrozenRows {
  const { values, dims } = series;
  const samples = countSamples(series);
  const runs: Span[] = [];
  let rows = 0;
  let count = 0;
  let changed = 0;
  let start = 0;
  for (let i = 1; i <= samples; i++) {
    if (i < samples && isRepeatedRow(values, dims, i)) continue;
    const length = i - start;
    changed++;
    if (length >= minRows) {
      rows += length;
      count++;
      keepLargest(runs, { from: start, to: i - 1, size: length });
    }
    start = i;
  }
  runs.sort((a, b) => a.from - b.from);
  return { rows, count, repeated: samples - changed, runs };
}

function isRepeatedRow(values: Series['values'], dims: number, row: number): boolean {
  const at = row * dims;
  for (let d = 0; d < dims; d++) if (values[at + d] !== values[at + d - dims]) return false;
  return true;
}
