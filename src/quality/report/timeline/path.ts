import { type Axis, type Column, gapFactor } from './column.ts';
import type { SignalStream } from './groups.ts';

/** The path of a vehicle on the ground, in metres, in order of time. */
export interface Path {
  /** Id of the stream that it is read from. */
  readonly stream: string;
  /** True if `y_m` points north; else the axes are those of the recording. */
  readonly isNorthUp: boolean;
  readonly time_s: Float64Array;
  readonly x_m: Float64Array;
  readonly y_m: Float64Array;
  /** Mean speed in m/s over about a second around each point, so that noise of positions is not shown as speed. */
  readonly speed_mps: Float64Array;
  /** True where the path is interrupted before a point. */
  readonly isGap: readonly boolean[];
}

/** Dimensions of two coordinates, and how they become metres. */
interface Coordinates {
  readonly across: RegExp;
  readonly up: RegExp;
  readonly isNorthUp: boolean;
  readonly isGeodetic?: true;
  /** Ids of streams that it applies to; absent: all. */
  readonly streams?: RegExp;
}

const positionName = (axis: string) => new RegExp(`^(.*(position|translation)[._])?${axis}$`, 'i');

/** Known coordinates, the most useful first. */
const coordinates: readonly Coordinates[] = [
  {
    across: /(^|[./_])(lon|lng|longitude)(_deg)?$/i,
    up: /(^|[./_])lat(itude)?(_deg)?$/i,
    isNorthUp: true,
    isGeodetic: true,
  },
  { across: /^(PE|east(_m)?)$/i, up: /^(PN|north(_m)?)$/i, isNorthUp: true },
  // PX4: x is north and y is east of the local origin.
  { across: /^y$/, up: /^x$/, isNorthUp: true, streams: /local_position/ },
  { across: positionName('x'), up: positionName('y'), isNorthUp: false },
];

/** Roles of streams that can hold a path, the preferred first. */
const pathRoles: readonly (string | null)[] = ['gnss', 'odometry'];

/** Distance in metres below which an episode is taken to stand still: satellite positions drift as far. */
const minExtent_m = 2;
/** Positions farther from the origin than this are geocentric, not on a plane. */
const maxPlane_m = 1e6;

/** Returns the path of an episode from its satellite positions, else from its odometry; `null` if it has none or stands still. */
export function findPath(streams: readonly SignalStream[]): Path | null {
  for (const role of pathRoles)
    for (const kind of coordinates)
      for (const stream of streams) {
        if (stream.role !== role || (kind.streams?.test(stream.id) ?? true) === false) continue;
        const path = readPath(stream, kind);
        if (path !== null) return path;
      }
  return null;
}

function readPath({ id, names, columns, about }: SignalStream, kind: Coordinates): Path | null {
  const [across, up] = [kind.across, kind.up].map(
    (name) => columns[names.findIndex((n) => n !== null && name.test(n))],
  );
  // A velocity can have the same names.
  if (across === undefined || up === undefined || about.some((text) => text.includes('/s'))) return null;
  const points = listPoints(across, up, kind.isGeodetic === true);
  const metres = kind.isGeodetic ? project(points) : points;
  const extent_m = Math.max(spanOf(metres.map(({ x }) => x)), spanOf(metres.map(({ y }) => y)));
  const isPlane = metres.every(({ x, y }) => Math.hypot(x, y) < maxPlane_m);
  if (metres.length < 2 || !isPlane || extent_m < minExtent_m) return null;
  const time_s = Float64Array.from(metres, ({ time }) => time);
  const x_m = Float64Array.from(metres, ({ x }) => x);
  const y_m = Float64Array.from(metres, ({ y }) => y);
  return {
    ...{ stream: id, isNorthUp: kind.isNorthUp, time_s, x_m, y_m },
    speed_mps: computeSpeeds(time_s, [x_m, y_m]),
    isGap: findGaps(time_s, across.axis),
  };
}

interface Point {
  readonly time: number;
  readonly x: number;
  readonly y: number;
}

function listPoints(across: Column, up: Column, isGeodetic: boolean): Point[] {
  const points: Point[] = [];
  for (let b = 0; b < across.axis.count; b++) {
    const [x, y] = [across, up].map(({ low, high }) => (low[b] + high[b]) / 2);
    // Receivers without a fix report 0, 0.
    const isMissing = isGeodetic && Math.abs(x) < 1e-9 && Math.abs(y) < 1e-9;
    if (Number.isFinite(x) && Number.isFinite(y) && !isMissing)
      points.push({ time: (across.axis.first[b] + across.axis.last[b]) / 2, x, y });
  }
  return points.sort((a, b) => a.time - b.time);
}

const metresPerDegree = (Math.PI / 180) * 6_371_008.8;

/** Projects degrees to metres around the first point, on a sphere: good enough for some 100 km. */
function project(points: readonly Point[]): Point[] {
  // Older PX4 logs store 1e-7 degrees as integers.
  const scale = points.some(({ y }) => Math.abs(y) > 90) ? 1e-7 : 1;
  const origin = points[0];
  const east = metresPerDegree * scale * Math.cos(((origin?.y ?? 0) * scale * Math.PI) / 180);
  return points.map(({ time, x, y }) => ({
    time,
    x: (x - origin.x) * east,
    y: (y - origin.y) * metresPerDegree * scale,
  }));
}

function spanOf(values: readonly number[]): number {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < from) from = value;
    if (value > to) to = value;
  }
  return to - from;
}

const halfWindow_s = 0.5;

/**
 * Returns the mean speed over about a second around each point, in units of the coordinates per second. `axes` has
 * the coordinates of all points, axis by axis.
 */
export function computeSpeeds(time_s: Float64Array, axes: readonly Float64Array[]): Float64Array {
  return time_s.map((_, i) => speedAt(i, time_s, axes));
}

function speedAt(i: number, time_s: Float64Array, axes: readonly Float64Array[]): number {
  let [from, to] = [Math.max(0, i - 1), Math.min(time_s.length - 1, i + 1)];
  while (from > 0 && time_s[i] - time_s[from] < halfWindow_s) from--;
  while (to < time_s.length - 1 && time_s[to] - time_s[i] < halfWindow_s) to++;
  const passed_s = time_s[to] - time_s[from];
  return passed_s > 0 ? Math.hypot(...axes.map((axis) => axis[to] - axis[from])) / passed_s : 0;
}

function findGaps(time_s: Float64Array, { step_s, exact }: Axis): boolean[] {
  const mean_s = (time_s[time_s.length - 1] - time_s[0]) / (time_s.length - 1);
  const usual_s = exact ? step_s : mean_s;
  return [...time_s].map((time, i) => i > 0 && usual_s > 0 && time - time_s[i - 1] > gapFactor * usual_s);
}

/** Returns the length of a path in metres, without its gaps. */
export function lengthOf({ x_m, y_m, isGap }: Path): number {
  let sum = 0;
  for (let i = 1; i < x_m.length; i++)
    if (!isGap[i]) sum += Math.hypot(x_m[i] - x_m[i - 1], y_m[i] - y_m[i - 1]);
  return sum;
}

/** Returns the index of the last point at or before a time; `null` if the time is well before or after the path. */
export function pointAt({ time_s }: Pick<Path, 'time_s'>, at_s: number): number | null {
  const [start, end] = [time_s[0], time_s[time_s.length - 1]];
  // The first sample is rarely at 0.
  const near_s = (gapFactor * (end - start)) / (time_s.length - 1);
  if (!(at_s >= start - near_s && at_s <= end + near_s)) return null;
  let [low, high] = [0, time_s.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time_s[middle] <= at_s) low = middle;
    else high = middle - 1;
  }
  return low;
}
