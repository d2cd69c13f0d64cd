import { expect, it } from 'vitest';
import type { Column } from './column.ts';
import type { SignalStream } from './groups.ts';
import { findPath, lengthOf, pointAt } from './path.ts';

const times = Float64Array.from({ length: 101 }, (_, i) => i / 10);

function columnOf(valueAt: (time_s: number) => number): Column {
  const values = times.map(valueAt);
  const axis = { first: times, last: times, count: times.length, step_s: 0.1, exact: true };
  return { axis, low: values, high: values, from: 0, to: 1, broken: [], outliers: [] };
}

const streamOf = (
  role: string,
  names: readonly string[],
  columns: readonly Column[],
  about: readonly string[] = ['m'],
): SignalStream => ({ id: `/${role}`, role, names, columns, dims: columns.length, about });

/** 20 m/s to the north at 60° of latitude, where a degree of longitude is half as long. */
const fix = streamOf(
  'gnss',
  ['latitude', 'longitude', 'altitude'],
  [columnOf((t) => 60 + (20 * t) / 111_194.93), columnOf(() => 11), columnOf(() => 500)],
  ['mixed'],
);

it('a path of satellite positions is in metres, north up, with its speed', () => {
  const path = findPath([
    streamOf('odometry', ['x', 'y'], [columnOf((t) => t * 9), columnOf(() => 0)]),
    fix,
  ])!;
  expect(path).toMatchObject({ stream: '/gnss', isNorthUp: true });
  expect(lengthOf(path)).toBeCloseTo(200, 1);
  expect(Math.max(...path.x_m)).toBe(0);
  for (const speed of path.speed_mps) expect(speed).toBeCloseTo(20, 2);
  const east = streamOf('gnss', ['lat', 'lon'], [columnOf(() => 600_000_000), columnOf((t) => 1e5 * t)]);
  expect(lengthOf(findPath([east])!)).toBeCloseTo((0.1 * 111_194.93) / 2, 0);
});

it('a path of odometry has its own axes; PX4 names north x', () => {
  const pose = ['pose.pose.position.x', 'pose.pose.position.y'];
  const columns = [columnOf((t) => 3 * t), columnOf((t) => 4 * t)];
  expect(findPath([streamOf('odometry', pose, columns)])).toMatchObject({ isNorthUp: false });
  const px4 = { ...streamOf('odometry', ['x', 'y', 'z'], columns), id: 'vehicle_local_position/position' };
  const path = findPath([px4])!;
  expect(path.isNorthUp).toBe(true);
  expect([path.x_m.at(-1), path.y_m.at(-1)]).toEqual([40, 30]);
});

it('there is no path without positions, for one that stands still, for velocities and geocentric positions', () => {
  const still = [columnOf(() => 1), columnOf((t) => Math.sin(t))];
  const moving = [columnOf((t) => 9 * t), columnOf(() => 0)];
  expect(findPath([])).toBeNull();
  expect(findPath([streamOf('odometry', ['x', 'y'], still)])).toBeNull();
  expect(findPath([streamOf('state', ['x', 'y'], moving)])).toBeNull();
  expect(findPath([streamOf('odometry', ['x', 'y'], moving, ['m/s', '50 Hz'])])).toBeNull();
  expect(findPath([streamOf('odometry', ['x', 'y'], [columnOf(() => 4e6), moving[0]])])).toBeNull();
});

it('positions without a fix are left out, and gaps interrupt the path', () => {
  const noFix = (t: number) => t > 3 && t < 5;
  const [north, east] = fix.columns.map(({ low }) =>
    columnOf((t) => (noFix(t) ? 0 : low[Math.round(t * 10)])),
  );
  const path = findPath([{ ...fix, columns: [north, east] }])!;
  expect(path.isGap.filter(Boolean)).toHaveLength(1);
  expect(lengthOf(path)).toBeCloseTo(160, 0);
  expect([pointAt(path, -1), pointAt(path, -0.1), pointAt(path, 0.25), pointAt(path, 11)]).toEqual([
    ...[null, 0, 2, null],
  ]);
});
