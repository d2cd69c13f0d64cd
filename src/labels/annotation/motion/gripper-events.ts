import { type Stream, timesOf } from '#core/episode';
import type { LaneEpisode } from '../lane.ts';
import { quantiles } from './quantile.ts';

/** Values of one gripper, and its open and close events. */
export interface GripperTrack {
  readonly stream: Stream;
  readonly dimension: number;
  readonly name: string | null;
  /** Value that means open; `null` if unknown. */
  readonly open_value: number | null;
  readonly events: readonly GripperEvent[];
  /** Finite values in time order, with their timestamps. */
  readonly values: Float64Array;
  readonly time_s: Float64Array;
  /** Minimum and maximum of the episode. */
  readonly range: readonly [number, number];
}

/** One opening or closing of a gripper. */
export interface GripperEvent {
  readonly change: 'open' | 'close' | 'unknown';
  /** Start and end: when 10 % and 90 % of the travel are passed. */
  readonly from_s: number;
  readonly to_s: number;
  /** When half of the travel is passed. */
  readonly middle_s: number;
  /**
   * Fraction of the episode's range covered in the half second around the midpoint: large for a quick move, small for
   * a creep.
   */
  readonly snap: number;
}

/** Minimum travel of an event, as a fraction of the range; smaller movements such as trembling are ignored. */
const minTravel = 0.25;
/**
 * Thresholds for a range that is noise: within noise deviations, a few encoder codes that change often, or a small
 * fraction of the unit's scale (`0..100`).
 */
const noiseThresholds = { deviations: 12, codes: 3.5, changes: 10, share: 0.1, scale: 0.1 };

/**
 * Returns a track with events for each gripper dimension of the state streams; without any, of the action streams;
 * empty without grippers.
 */
export function gripperTracks(streams: readonly Stream[], grippers: Grippers): GripperTrack[] {
  for (const role of ['state', 'action'] as const) {
    const found = streams
      .filter((stream) => stream.role === role && stream.series !== undefined && stream.clock !== null)
      .flatMap((stream) =>
        gripperDimensions(grippers, stream)
          .filter((dimension) => dimension < stream.series!.dims)
          .map((dimension) => buildTrack(stream, dimension, grippers)),
      );
    if (found.length > 0) return found;
  }
  return [];
}

function buildTrack(stream: Stream, dimension: number, grippers: Grippers): GripperTrack {
  const declared = grippers.find((finite) => finite.stream === stream.id && finite.dimension === dimension);
  const { values, time_s } = finiteColumn(stream, dimension);
  const open_value = declared?.open_value ?? null;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  const range = values.length === 0 ? ([0, 0] as const) : ([low, high] as const);
  const means = !(high - low > 0) || high - low < noiseThresholds.scale * unitScale(declared?.unit ?? '');
  const events =
    means || isNoise(values, high - low) ? [] : findEvents(values, time_s, high - low, open_value);
  const name = declared?.name ?? stream.names?.[dimension] ?? null;
  return { stream, dimension, name, open_value, events, values, time_s, range };
}

/** Returns the width of the range stated in a unit, as in `0..100 of calibrated travel`; 0 if none is stated. */
function unitScale(unit: string): number {
  const ends = /(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)/.exec(unit);
  return ends === null ? 0 : Number(ends[2]) - Number(ends[1]);
}

function finiteColumn(stream: Stream, dimension: number): { values: Float64Array; time_s: Float64Array } {
  const stamps = timesOf(stream)!;
  const { values, dims } = stream.series!;
  const count = Math.min(stamps.length, Math.floor(values.length / dims));
  const finite = new Float64Array(count);
  const time_s = new Float64Array(count);
  let kept = 0;
  let sorted = true;
  for (let i = 0, at = dimension; i < count; i++, at += dims) {
    if (!Number.isFinite(values[at]) || !Number.isFinite(stamps[i])) continue;
    if (kept > 0 && stamps[i] < time_s[kept - 1]) sorted = false;
    finite[kept] = values[at];
    time_s[kept++] = stamps[i];
  }
  if (sorted) return { values: finite.subarray(0, kept), time_s: time_s.subarray(0, kept) };
  const order = Array.from({ length: kept }, (_, i) => i).sort((a, b) => time_s[a] - time_s[b] || a - b);
  return {
    values: Float64Array.from(order, (i) => finite[i]),
    time_s: Float64Array.from(order, (i) => time_s[i]),
  };
}

/**
 * Returns whether the range is explained by noise. The deviation is estimated from the lower quartile of absolute
 * second differences (0.78 deviations for white noise), which is unaffected by grasps in up to half of the rows.
 * Flicker between a few codes has no such deviation and is detected by how often it changes.
 */
function isNoise(values: Float64Array, range: number): boolean {
  if (values.length < 3) return false;
  const stride = Math.max(1, Math.ceil(values.length / 1024));
  const bends = new Float64Array(Math.ceil(values.length / stride));
  let count = 0;
  let changes = 0;
  let code = Infinity;
  for (let i = 1; i < values.length - 1; i += stride) {
    const step = Math.abs(values[i] - values[i - 1]);
    if (step > 0) changes++;
    if (step > 0 && step < code) code = step;
    bends[count++] = Math.abs(values[i + 1] - 2 * values[i] + values[i - 1]);
  }
  const [quartile] = quantiles(bends, [0, count], [0.25]);
  const flickers =
    range <= noiseThresholds.codes * code &&
    changes >= Math.max(noiseThresholds.changes, noiseThresholds.share * count);
  return flickers || range < (noiseThresholds.deviations * quartile) / 0.78;
}

function findEvents(
  values: Float64Array,
  time_s: Float64Array,
  range: number,
  open_value: number | null,
): GripperEvent[] {
  const turns = turningPoints(values, 0, values.length, minTravel * range);
  return turns.slice(1).map((end, i) => {
    const start = turns[i];
    const travel = end.value - start.value;
    /** Returns the row at which a fraction of the travel is reached, at or after `since`. */
    const passed = (share: number, since: number) => {
      let row = since;
      while (row < end.from && (values[row] - start.value) / travel < share) row++;
      return row;
    };
    const leaves = lastRowBelow(values, start, end.from, travel, 0.1);
    const middle = passed(0.5, leaves);
    const arrives = passed(0.9, middle);
    return {
      change: gripperChange(start.value, end.value, open_value),
      from_s: time_s[leaves],
      to_s: time_s[arrives],
      middle_s: time_s[middle],
      snap: snapDistance(values, time_s, middle, [start.to, end.from]) / range,
    };
  });
}

/** Returns the travel within half a second around a row, limited to one stroke. */
function snapDistance(
  values: Float64Array,
  time_s: Float64Array,
  row: number,
  [first, last]: readonly [number, number],
): number {
  let from = row;
  while (from > first && time_s[row] - time_s[from - 1] <= 0.25) from--;
  let to = row;
  while (to < last && time_s[to + 1] - time_s[row] <= 0.25) to++;
  return Math.abs(values[to] - values[Math.max(first, Math.min(from, row - 1))]);
}

/** Returns the last row below a fraction of the travel, before half of it is passed. */
function lastRowBelow(
  values: Float64Array,
  start: { readonly to: number; readonly value: number },
  end: number,
  travel: number,
  share: number,
): number {
  let row = start.to;
  for (let i = start.to; i < end; i++) {
    const travelled = (values[i] - start.value) / travel;
    if (travelled >= 0.5) break;
    if (travelled < share) row = i;
  }
  return row;
}

function gripperChange(from: number, to: number, open_value: number | null): GripperEvent['change'] {
  if (open_value === null) return 'unknown';
  return Math.abs(to - open_value) < Math.abs(from - open_value) ? 'open' : 'close';
}

/** A local extreme: first and last index at which it stood there, before it turned. */
interface TurningPoint {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly is_peak: boolean;
}

/**
 * Returns the peaks and valleys of `values[from..to)` between which the series moves by at least `minChange`,
 * alternating and in order; empty if it never moves that far. It is a zigzag filter with hysteresis; the last point
 * is the extreme since the last turn. Values must not be NaN.
 */
export function turningPoints(
  values: Float64Array,
  from: number,
  to: number,
  minChange: number,
): TurningPoint[] {
  const found: TurningPoint[] = [];
  /** 1: rising towards a peak; −1: falling towards a valley; 0: unknown. */
  let heading = 0;
  let [low, lowFrom, lowTo] = [values[from], from, from];
  let [high, highFrom, highTo] = [low, from, from];
  for (let i = from + 1; i < to; i++) {
    const value = values[i];
    if (value >= high) {
      if (value > high) highFrom = i;
      high = value;
      highTo = i;
    }
    if (value <= low) {
      if (value < low) lowFrom = i;
      low = value;
      lowTo = i;
    }
    const isPeak = heading >= 0 && high - value >= minChange;
    if (!isPeak && (heading > 0 || value - low < minChange)) continue;
    found.push(
      isPeak
        ? { from: highFrom, to: highTo, value: high, is_peak: true }
        : { from: lowFrom, to: lowTo, value: low, is_peak: false },
    );
    heading = isPeak ? -1 : 1;
    [low, lowFrom, lowTo] = [value, i, i];
    [high, highFrom, highTo] = [value, i, i];
  }
  if (heading > 0) found.push({ from: highFrom, to: highTo, value: high, is_peak: true });
  if (heading < 0) found.push({ from: lowFrom, to: lowTo, value: low, is_peak: false });
  return found;
}

/** Gripper dimensions from the receipt. */
export type Grippers = LaneEpisode['facts']['grippers'];

const gripperPattern = /grip|claw|jaw|pincher|suction|vacuum/i;

/** Cache by list of names, which episodes of a recording share. */
const dimensionCache = new WeakMap<readonly string[], readonly number[]>();

/**
 * Returns the gripper dimensions of a stream: those that the receipt states, else those whose name matches
 * `gripperPattern`; empty if there are none.
 */
export function gripperDimensions(grippers: Grippers, { id, names, series }: Stream): readonly number[] {
  const declared = grippers.filter(({ stream }) => stream === id);
  if (declared.length > 0) return declared.map(({ dimension }) => dimension);
  if (names === null || series === undefined) return [];
  let found = dimensionCache.get(names);
  if (found === undefined) {
    found = names.flatMap((name, dimension) => (gripperPattern.test(name) ? [dimension] : []));
    dimensionCache.set(names, found);
  }
  return found.filter((dimension) => dimension < series.dims);
}
