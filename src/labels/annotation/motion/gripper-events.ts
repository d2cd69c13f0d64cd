import { type Stream, timesOf } from '#core/episode';
import { type Grippers, gripperDimensions } from './gripper-dimensions.ts';
import { quantiles } from './quantile.ts';

/** One gripper as recorded, and each time it opened or closed. */
export interface GripperTrack {
  readonly stream: Stream;
  readonly dimension: number;
  readonly name: string | null;
  /** The value that means open; null while nobody knows. */
  readonly open_value: number | null;
  readonly events: readonly GripperEvent[];
  /** Its numbers in the order of time, those missing left out, with their stamps. */
  readonly values: Float64Array;
  readonly time_s: Float64Array;
  /** Least and greatest number of the episode. */
  readonly range: readonly [number, number];
}

export interface GripperEvent {
  readonly change: 'open' | 'close' | 'unknown';
  /** From leaving where it was to arriving, each by a tenth of the way. */
  readonly from_s: number;
  readonly to_s: number;
  /** Half way. */
  readonly middle_s: number;
  /** Share of the episode's range that it went in the half second around the middle: a snap, or a creep. */
  readonly snap: number;
}

/** A way of a quarter of the range is an event; holding something and trembling are not. */
const leastTravel = 0.25;
/** A range within its own noise, or of the scale that the convention names (`0..100`), says nothing of opening. */
const leastRange = { deviations: 12, codes: 3.5, changes: 10, share: 0.1, scale: 0.1 };

/** Grippers of the measured state; where it has none, of the commands. */
export function gripperTracks(streams: readonly Stream[], grippers: Grippers): GripperTrack[] {
  for (const role of ['state', 'action'] as const) {
    const found = streams
      .filter((stream) => stream.role === role && stream.series !== undefined && stream.clock !== null)
      .flatMap((stream) =>
        gripperDimensions(grippers, stream)
          .filter((dimension) => dimension < stream.series!.dims)
          .map((dimension) => trackOf(stream, dimension, grippers)),
      );
    if (found.length > 0) return found;
  }
  return [];
}

function trackOf(stream: Stream, dimension: number, grippers: Grippers): GripperTrack {
  const told = grippers.find((own) => own.stream === stream.id && own.dimension === dimension);
  const { values, time_s } = finiteColumn(stream, dimension);
  const open_value = told?.open_value ?? null;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  const range = values.length === 0 ? ([0, 0] as const) : ([low, high] as const);
  const means = !(high - low > 0) || high - low < leastRange.scale * scaleOf(told?.unit ?? '');
  const events = means || isNoise(values, high - low) ? [] : eventsOf(values, time_s, high - low, open_value);
  const name = told?.name ?? stream.names?.[dimension] ?? null;
  return { stream, dimension, name, open_value, events, values, time_s, range };
}

/** The width of the scale that a convention names, as in `0..100 of calibrated travel`; 0 where it names none. */
function scaleOf(unit: string): number {
  const ends = /(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)/.exec(unit);
  return ends === null ? 0 : Number(ends[2]) - Number(ends[1]);
}

function finiteColumn(stream: Stream, dimension: number): { values: Float64Array; time_s: Float64Array } {
  const stamps = timesOf(stream)!;
  const { values, dims } = stream.series!;
  const count = Math.min(stamps.length, Math.floor(values.length / dims));
  const own = new Float64Array(count);
  const time_s = new Float64Array(count);
  let kept = 0;
  let sorted = true;
  for (let i = 0, at = dimension; i < count; i++, at += dims) {
    if (!Number.isFinite(values[at]) || !Number.isFinite(stamps[i])) continue;
    if (kept > 0 && stamps[i] < time_s[kept - 1]) sorted = false;
    own[kept] = values[at];
    time_s[kept++] = stamps[i];
  }
  if (sorted) return { values: own.subarray(0, kept), time_s: time_s.subarray(0, kept) };
  const order = Array.from({ length: kept }, (_, i) => i).sort((a, b) => time_s[a] - time_s[b] || a - b);
  return {
    values: Float64Array.from(order, (i) => own[i]),
    time_s: Float64Array.from(order, (i) => time_s[i]),
  };
}

/**
 * Whether the range is what a trembling without any course would span. Its deviation follows from the lower quartile of
 * second differences (0.78 of it in white noise), which a grasp in half of all rows leaves alone; a flicker between few
 * codes has none and is known by how often it changes.
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
    range <= leastRange.codes * code && changes >= Math.max(leastRange.changes, leastRange.share * count);
  return flickers || range < (leastRange.deviations * quartile) / 0.78;
}

function eventsOf(
  values: Float64Array,
  time_s: Float64Array,
  range: number,
  open_value: number | null,
): GripperEvent[] {
  const turns = turningPoints(values, 0, values.length, leastTravel * range);
  return turns.slice(1).map((end, i) => {
    const start = turns[i];
    const way = end.value - start.value;
    /** The row at which this share of the way was passed for the last time before it arrived. */
    const passed = (share: number, since: number) => {
      let row = since;
      while (row < end.from && (values[row] - start.value) / way < share) row++;
      return row;
    };
    const leaves = lastBelow(values, start, end.from, way, 0.1);
    const middle = passed(0.5, leaves);
    const arrives = passed(0.9, middle);
    return {
      change: changeOf(start.value, end.value, open_value),
      from_s: time_s[leaves],
      to_s: time_s[arrives],
      middle_s: time_s[middle],
      snap: snapAt(values, time_s, middle, [start.to, end.from]) / range,
    };
  });
}

/** How far it goes within half a second around a row, on one way. */
function snapAt(
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

/** The last row of a way that had not yet gone a share of it before it passed the middle. */
function lastBelow(
  values: Float64Array,
  start: { readonly to: number; readonly value: number },
  end: number,
  way: number,
  share: number,
): number {
  let row = start.to;
  for (let i = start.to; i < end; i++) {
    const gone = (values[i] - start.value) / way;
    if (gone >= 0.5) break;
    if (gone < share) row = i;
  }
  return row;
}

function changeOf(from: number, to: number, open_value: number | null): GripperEvent['change'] {
  if (open_value === null) return 'unknown';
  return Math.abs(to - open_value) < Math.abs(from - open_value) ? 'open' : 'close';
}

/** An extreme of a series: the first and the last place at which it stood there before it turned. */
interface TurningPoint {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly is_peak: boolean;
}

/**
 * The extremes of `values[from..to)` between which it rises or falls by at least `least` (hysteresis, a zigzag
 * filter): smaller to and fro is passed over. Peaks and valleys alternate; the last one is the extreme reached since
 * the last turn. One pass; none for a series that never moves so far. NaN must not be among them.
 */
export function turningPoints(values: Float64Array, from: number, to: number, least: number): TurningPoint[] {
  const found: TurningPoint[] = [];
  /** 1: rising towards a peak; −1: falling towards a valley; 0: not known yet. */
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
    const isPeak = heading >= 0 && high - value >= least;
    if (!isPeak && (heading > 0 || value - low < least)) continue;
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
