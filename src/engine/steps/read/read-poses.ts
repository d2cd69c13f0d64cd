import type { EpisodePose } from '#core/api';
import { findPoseSources, type OrientationSource, type PoseSource } from '#core/episode';
import type { ShardRows } from '#store';
import { loadShardReader } from '#store/blobs';
import type { PosesTask } from './reader-threads.ts';

/** Maximum number of poses of an episode that are read. */
const maxPoses = 12;
/** Positions farther from the origin than this are geocentric: their z is not up. */
const maxDistance = 1e6;
/** Maximum deviation of a quaternion's length, and of a rotation matrix from orthonormal. */
const tolerance = 0.02;
/** Maximum fraction of rows that may not be a rotation. */
const maxBadRows = 0.01;

/**
 * Returns up to 12 poses of an episode, each with at most `points` points of its path; those that hold no measured positions
 * are left out.
 * @throws `not_found` for an absent episode
 */
export async function readPoses({ shard, duration_s, points }: PosesTask): Promise<readonly EpisodePose[]> {
  const { readShardEpisode, readShardStream } = await loadShardReader();
  const { streams } = await readShardEpisode(shard.path, shard.place);
  const poses: EpisodePose[] = [];
  for (const source of findPoseSources(streams)) {
    const rows = await readShardStream(shard.path, shard.place, source.stream_id);
    const { orientation } = source;
    const turned =
      orientation === null || orientation.stream_id === source.stream_id
        ? rows
        : await readShardStream(shard.path, shard.place, orientation.stream_id);
    const pose = toPose({ source, rows, turned, duration_s, points });
    if (pose !== null) poses.push(pose);
    if (poses.length === maxPoses) break;
  }
  return poses;
}

interface PoseRows {
  readonly source: PoseSource;
  readonly rows: ShardRows;
  /** Rows of the stream with the orientation. */
  readonly turned: ShardRows;
  readonly duration_s: number;
  /** Maximum number of points. */
  readonly points: number;
}

/** Returns a pose with its path; `null` if its values are no poses or never measured. */
function toPose({ source, rows, turned, duration_s, points }: PoseRows): EpisodePose | null {
  const count = rows.dims === 0 ? 0 : rows.values.length / rows.dims;
  const time_s = timesOf(rows, count, duration_s);
  const matrix = source.position === 'matrix' ? findMatrixLayout(rows) : null;
  if (source.position === 'matrix' && matrix === null) return null;
  if (source.proof !== null && !areQuaternions(rows, source.proof)) return null;
  const dimensions = source.position === 'matrix' ? translationOf(matrix!) : source.position;
  const place = placesOf(rows, dimensions, source.unit_m ?? 1);
  const measured = [...time_s.keys()].filter((row) => isPlace(place, row) && Number.isFinite(time_s[row]));
  if (
    measured.length < 2 ||
    measured.every((row) => !isNear(place, row)) ||
    isUnmeasured(source, place, measured)
  )
    return null;
  measured.sort((a, b) => time_s[a] - time_s[b]);
  const { shown, starts } = reduce(measured, { time_s, place, points });
  const rotation = readRotation({ source, rows, turned, matrix, time_s });
  const columns = (axis: number) => shown.map((row) => round(place[3 * row + axis]));
  const quaternions = rotation.at === null ? null : shown.map(rotation.at);
  return {
    ...{ label: source.label, kind: source.kind, stream_id: source.stream_id },
    unit: source.unit_m === null ? null : 'm',
    z_axis: source.is_z_down ? 'down' : 'up',
    rows: count,
    time_s: shown.map((row) => round(time_s[row])),
    ...{ x: columns(0), y: columns(1), z: columns(2), starts, quaternions },
    orientation_problem: rotation.problem,
  };
}

const round = (value: number): number => Number(value.toPrecision(9));

/** Returns the time of each row; rows without timestamps are spread evenly over the episode. */
function timesOf({ time_s }: ShardRows, count: number, duration_s: number): Float64Array {
  if (time_s !== null) return time_s.subarray(0, count);
  return Float64Array.from({ length: count }, (_, row) => (row * duration_s) / Math.max(1, count - 1));
}

type Triple = readonly [number, number, number];

/** Returns x, y and z of each row. */
function placesOf({ values, dims }: ShardRows, dimensions: Triple, factor: number): Float64Array {
  const place = new Float64Array((values.length / dims) * 3);
  for (let i = 0; i < place.length; i++)
    place[i] = values[Math.floor(i / 3) * dims + dimensions[i % 3]] * factor;
  return place;
}

const isPlace = (place: Float64Array, row: number): boolean =>
  Number.isFinite(place[3 * row] + place[3 * row + 1] + place[3 * row + 2]);

const isNear = (place: Float64Array, row: number): boolean =>
  Math.hypot(place[3 * row], place[3 * row + 1], place[3 * row + 2]) < maxDistance;

/**
 * Returns true if positions are not measured: all exactly 0, as some drivers write, except for a base, which may stand there;
 * or the same in all rows for what is not known to be a thing, such as a setting.
 */
function isUnmeasured({ kind }: PoseSource, place: Float64Array, measured: readonly number[]): boolean {
  const isConstant = (axis: number, value: number) =>
    measured.every((row) => place[3 * row + axis] === value);
  if (kind === 'base') return false;
  return [0, 1, 2].every((axis) => isConstant(axis, kind === 'other' ? place[3 * measured[0] + axis] : 0));
}

/** Steps between points longer than this many median steps are gaps. */
const gapSteps = 5;

interface Reduction {
  readonly time_s: Float64Array;
  readonly place: Float64Array;
  readonly points: number;
}

/**
 * Reduces rows to at most `points`: of each run of rows the first, and the one farthest from it, so that no turn is lost.
 * `starts` has the indices of points before which the recording is interrupted.
 */
function reduce(measured: readonly number[], { time_s, place, points }: Reduction) {
  const steps = measured.slice(1).map((row, i) => time_s[row] - time_s[measured[i]]);
  const gap_s = gapSteps * (Float64Array.from(steps).sort()[steps.length >> 1] ?? 0);
  const length = Math.max(1, Math.ceil(measured.length / Math.floor((points - 1) / 2)));
  const isWhole = measured.length <= points;
  const shown: number[] = [];
  const starts: number[] = [];
  let previous: number | null = null;
  for (let from = 0; from < measured.length; from += isWhole ? 1 : length) {
    const run = measured.slice(from, from + (isWhole ? 1 : length));
    const isGap = (row: number, i: number) =>
      gap_s > 0 && time_s[row] - time_s[i > 0 ? run[i - 1] : (previous ?? row)] > gap_s;
    const gap = run.findIndex(isGap);
    const own = isWhole ? run : [run[0], ...(gap > 0 ? [run[gap]] : farthest(run, place))];
    if (gap >= 0) starts.push(shown.length + (gap > 0 ? 1 : 0));
    shown.push(...own);
    previous = run.at(-1)!;
  }
  const last = measured.at(-1)!;
  if (shown.at(-1) !== last) shown.push(last);
  return { shown, starts };
}

/** Returns the row of a run that is farthest from its first, unless that is the first. */
function farthest(run: readonly number[], place: Float64Array): number[] {
  const [first] = run;
  let [best, distance] = [-1, 0];
  for (const row of run) {
    const away = Math.hypot(...[0, 1, 2].map((axis) => place[3 * row + axis] - place[3 * first + axis]));
    if (away > distance) [best, distance] = [row, away];
  }
  return best < 0 ? [] : [best];
}

type Quaternion = [x: number, y: number, z: number, w: number];

interface Rotation {
  /** Returns the unit quaternion of a row; `null` if it has none. */
  readonly at: ((row: number) => Quaternion | null) | null;
  readonly problem: string | null;
}

interface RotationRows extends Pick<PoseRows, 'source' | 'rows' | 'turned'> {
  readonly matrix: MatrixLayout | null;
  readonly time_s: Float64Array;
}

function readRotation({ source, rows, turned, matrix, time_s }: RotationRows): Rotation {
  if (matrix !== null) return { at: (row) => quaternionOfMatrix(rows, row, matrix), problem: null };
  const { orientation, orientation_problem } = source;
  if (orientation === null) return { at: null, problem: orientation_problem };
  if (orientation.type === 'quaternion' && !areQuaternions(turned, orientation.dimensions))
    return { at: null, problem: `${orientation.stream_id} contains no unit quaternions` };
  if (orientation.type !== 'quaternion' && maxOf(turned, orientation.dimensions) > 2 * Math.PI + tolerance)
    return { at: null, problem: `the angles of ${orientation.stream_id} are not in radians` };
  const match = matchRows(rows, turned, time_s);
  if (match === null)
    return { at: null, problem: `${orientation.stream_id} has a different number of rows and no timestamps` };
  return { at: (row) => toQuaternion(turned, match(row), orientation), problem: null };
}

/** Returns a function that finds the row of `turned` at a row of `rows`; `null` if they cannot be related. */
function matchRows(
  rows: ShardRows,
  turned: ShardRows,
  time_s: Float64Array,
): ((row: number) => number) | null {
  if (rows === turned || rows.total_rows === turned.total_rows) return (row) => row;
  const times = turned.time_s;
  if (times === null || rows.time_s === null || times.length === 0) return null;
  return (row) => {
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time_s[row]) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}

function toQuaternion(
  { values, dims }: ShardRows,
  row: number,
  { type, dimensions }: OrientationSource,
): Quaternion | null {
  const [a, b, c, d = 0] = dimensions.map((dimension) => values[row * dims + dimension]);
  if (type === 'quaternion') return normalise([a, b, c, d]);
  if (type === 'axis_angle') {
    const angle = Math.hypot(a, b, c);
    const share = angle > 0 ? Math.sin(angle / 2) / angle : 0;
    return normalise([a * share, b * share, c * share, Math.cos(angle / 2)]);
  }
  const [sx, sy, sz] = [a, b, c].map((angle) => Math.sin(angle / 2));
  const [cx, cy, cz] = [a, b, c].map((angle) => Math.cos(angle / 2));
  // Rotations about the fixed axes x, then y, then z.
  return normalise([
    sx * cy * cz - cx * sy * sz,
    cx * sy * cz + sx * cy * sz,
    cx * cy * sz - sx * sy * cz,
    cx * cy * cz + sx * sy * sz,
  ]);
}

function normalise([x, y, z, w]: Quaternion): Quaternion | null {
  const length = Math.hypot(x, y, z, w);
  if (!(length > 0 && Number.isFinite(length))) return null;
  const [a, b, c, d] = [x, y, z, w].map((part) => Number((part / length).toFixed(6)));
  return [a, b, c, d];
}

/** Returns true if four dimensions are unit quaternions in nearly every row; rows of zeros or NaN are not counted. */
function areQuaternions({ values, dims }: ShardRows, dimensions: readonly number[]): boolean {
  let [good, bad] = [0, 0];
  for (let at = 0; at + dims <= values.length; at += dims) {
    const length = Math.hypot(...dimensions.map((dimension) => values[at + dimension]));
    if (Math.abs(length - 1) <= tolerance) good++;
    else if (length > 0) bad++;
  }
  return good > 0 && bad <= maxBadRows * (good + bad);
}

function maxOf({ values, dims }: ShardRows, dimensions: readonly number[]): number {
  let most = 0;
  for (let at = 0; at + dims <= values.length; at += dims)
    for (const dimension of dimensions) most = Math.max(most, Math.abs(values[at + dimension]) || 0);
  return most;
}

/** `rows`: the translation is the last column of a row-major matrix. `columns`: the matrix is stored transposed. */
type MatrixLayout = 'rows' | 'columns';

const translationOf = (layout: MatrixLayout): Triple => (layout === 'rows' ? [3, 7, 11] : [12, 13, 14]);

/** Returns how rows of 16 numbers hold rigid transforms; `null` if they do not. */
function findMatrixLayout(rows: ShardRows): MatrixLayout | null {
  if (rows.dims !== 16) return null;
  const count = rows.values.length / 16;
  return (
    (['rows', 'columns'] as const).find((layout) => {
      let [good, bad] = [0, 0];
      for (let row = 0; row < count; row++) {
        const values = rows.values.subarray(16 * row, 16 * row + 16);
        if (values.every((value) => value === 0) || values.some(Number.isNaN)) continue;
        if (isRigid(values, layout)) good++;
        else bad++;
      }
      return good > 0 && bad <= maxBadRows * (good + bad);
    }) ?? null
  );
}

/** Returns the index of row r and column c of the transform. */
const cell = (layout: MatrixLayout, r: number, c: number): number =>
  layout === 'rows' ? 4 * r + c : 4 * c + r;

function isRigid(values: ArrayLike<number>, layout: MatrixLayout): boolean {
  const at = (r: number, c: number) => values[cell(layout, r, c)];
  const isBottom = [0, 0, 0, 1].every((expected, c) => Math.abs(at(3, c) - expected) < 1e-6);
  const dot = (a: number, b: number) => at(0, a) * at(0, b) + at(1, a) * at(1, b) + at(2, a) * at(2, b);
  const isOrthonormal = [0, 1, 2].every((a) =>
    [0, 1, 2].every((b) => Math.abs(dot(a, b) - (a === b ? 1 : 0)) <= tolerance),
  );
  return isBottom && isOrthonormal;
}

/** Returns the rotation of a row (Shepperd's method: divide by the largest component); null if it cannot be normalised. */
function quaternionOfMatrix({ values }: ShardRows, row: number, layout: MatrixLayout): Quaternion | null {
  const m = (r: number, c: number) => values[16 * row + cell(layout, r, c)];
  const trace = m(0, 0) + m(1, 1) + m(2, 2);
  if (trace > 0) return normalise([m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1), 1 + trace]);
  const [x, y, z] = [m(0, 0), m(1, 1), m(2, 2)].map((diagonal) => 1 + 2 * diagonal - trace);
  if (x >= y && x >= z) return normalise([x, m(0, 1) + m(1, 0), m(0, 2) + m(2, 0), m(2, 1) - m(1, 2)]);
  if (y >= z) return normalise([m(0, 1) + m(1, 0), y, m(1, 2) + m(2, 1), m(0, 2) - m(2, 0)]);
  return normalise([m(0, 2) + m(2, 0), m(1, 2) + m(2, 1), z, m(1, 0) - m(0, 1)]);
}
