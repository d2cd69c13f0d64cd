import { describe, expect, it } from 'vitest';
import { fillTemplate, type JsonObject } from '#core';
import { findGripperDimensions, inferGripperConvention } from '../metadata/grippers.ts';
import { dimensionNames } from '../metadata/info.ts';
import { type ColumnPlan, inferRole } from './episodes/column-plan.ts';
import { inferUnit } from './episodes/units.ts';
import { chooseClock } from './streams.ts';

describe('names of dimensions', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [[['a', 'b']], ['a', 'b']],
    [{ motors: ['a', 'b'] }, ['a', 'b']],
    [{ axes: ['a', 'b'] }, ['a', 'b']],
    [{ left: ['a'], right: ['b'] }, ['a', 'b']],
    [{ b: 1, a: 0 }, ['a', 'b']],
    [null, null],
    [undefined, null],
    [['a', 'b', 'c'], null],
    [
      [1, 2],
      ['1', '2'],
    ],
    ['ab', null],
  ])('%j gives %j', (names, expected) => {
    expect(dimensionNames(names, 2)).toEqual(expected);
  });
});

describe('path templates', () => {
  it('are filled as Python fills them, and unknown names give null', () => {
    const values = { episode_index: 7, chunk_index: 12, video_key: 'cam' };
    expect(fillTemplate('a/{video_key}/c-{chunk_index:03d}/e_{episode_index:06d}', values)).toBe(
      'a/cam/c-012/e_000007',
    );
    expect(fillTemplate('{episode_index}', values)).toBe('7');
    expect(fillTemplate('{episode_chunk:03d}', values)).toBeNull();
  });
});

describe('roles', () => {
  it.each([
    ['action', 'action'],
    ['action.arm', 'action'],
    ['observation.state', 'state'],
    ['observation.environment_state', 'other'],
    ['observation.effort', 'effort'],
    ['observation.imu', 'imu'],
    ['next.reward', 'reward'],
    ['next.done', 'annotation'],
    ['annotation.human.validity', 'annotation'],
    ['something', 'other'],
  ])('%s is %s', (key, role) => {
    expect(inferRole(key)).toBe(role);
  });
});

describe('the clock of rows', () => {
  const stamps = (count: number, of: (row: number) => number) =>
    Float64Array.from({ length: count }, (_, row) => of(row));
  const provenance = (values: Float64Array, fps = 30) =>
    chooseClock(values, values.length, fps)?.clock.provenance;

  it('rounded to single precision is still computed', () => {
    expect(provenance(stamps(20_000, (row) => Math.fround(row / 30)))).toBe('synthesised');
  });

  it('starting off zero, or summed up in single precision, is still computed', () => {
    expect(
      provenance(
        stamps(400, (row) => 0.05 + row * Math.fround(0.05)),
        20,
      ),
    ).toBe('synthesised');
  });

  it('with dropped rows or two swapped stamps is still computed', () => {
    expect(provenance(stamps(300, (row) => (row < 100 ? row : row + 30) / 30))).toBe('synthesised');
    const swapped = stamps(300, (row) => row / 30);
    [swapped[10], swapped[11]] = [swapped[11], swapped[10]];
    expect(provenance(swapped)).toBe('synthesised');
  });

  it('with jitter of a millisecond is a recorder’s', () => {
    expect(provenance(stamps(300, (row) => row / 30 + 0.001 * Math.sin(row * 3)))).toBe('log');
  });

  it('at another rate than declared is a recorder’s', () => {
    expect(provenance(stamps(300, (row) => row / 29.4))).toBe('log');
  });
});

function plan(over: Partial<ColumnPlan['feature']> = {}, role: ColumnPlan['role'] = 'state'): ColumnPlan {
  const feature = {
    key: 'observation.state',
    dtype: 'float32',
    shape: [2],
    names: null,
    raw_names: null,
    details: {},
    unit: null,
    ...over,
  };
  return { feature, role, shape: 'list', dims: feature.shape[0], precision: 'float32', sql: '' };
}

describe('units', () => {
  const joints = ['shoulder_pan', 'gripper'];
  const stats = (low: number, high: number) => ({
    'observation.state': { min: [low, -1000], max: [high, 1000] },
  });

  it('are taken as declared', () => {
    expect(inferUnit(plan({ unit: 'rad' }), null)).toMatchObject({ unit: 'rad', evidence: 'declared' });
    expect(inferUnit(plan({ names: ['j1_rad', 'j2_rad'] }), null)).toMatchObject({
      unit: 'rad',
      evidence: 'declared',
    });
    expect(inferUnit(plan({ names: ['x.m', 'yaw_deg'] }), null)).toMatchObject({
      unit: 'mixed',
      evidence: 'declared',
    });
  });

  it.each([
    [-2.5, 2.9, 'rad'],
    [-170, 120, 'deg'],
    [-98, 99, 'unknown'],
    [-0.9, 0.9, 'unknown'],
  ])('of joints that reach from %d to %d are %s', (low, high, unit) => {
    expect(inferUnit(plan({ names: joints }), stats(low, high)).unit).toBe(unit);
  });

  it('are unknown without names or statistics', () => {
    expect(inferUnit(plan(), stats(-2.5, 2.5)).unit).toBe('unknown');
    expect(inferUnit(plan({ names: joints }), null).unit).toBe('unknown');
  });
});

describe('grippers', () => {
  const column = (values: number[]) => ({
    plan: plan({ names: ['arm', 'gripper.pos'] }),
    values: Float32Array.from(values),
    dims: 2,
    null_rows: 0,
    ragged_rows: 0,
    null_values: 0,
  });
  const of = (robot: string | null, values: number[], stats: JsonObject | null = null) => {
    const read = column(values);
    return findGripperDimensions(read.plan, robot, stats).map((row) => inferGripperConvention(read, row));
  };

  it.each([
    ['so101_follower', [0, 3, 0, 98], 100, 'known_format'],
    ['aloha', [0, 0, 0, 1], 1, 'known_format'],
    ['franka_droid', [0, 0.1, 0, 0.9], 0, 'known_format'],
    ['franka', [0, 0.1, 0, 0.9], null, 'unknown'],
    [null, [0, 0.1, 0, 0.9], null, 'unknown'],
    ['so100', [0, -40, 0, 900], null, 'unknown'],
    ['so100', [0, 0, 0, 1], null, 'unknown'],
    ['so101', [0, -100, 0, 100], null, 'unknown'],
    ['so101', [0, 2, 0, 112], 100, 'known_format'],
  ])('of %s with values %j open at %s (%s)', (robot, values, open, evidence) => {
    expect(of(robot, values)).toMatchObject([
      { dimension: 1, name: 'gripper.pos', open_value: open, evidence },
    ]);
  });

  it('rest in one episode without leaving the scale of their set, nor taking one that the set is not on', () => {
    const stats = (high: number) => ({ [column([]).plan.feature.key]: { min: [0, 0], max: [1, high] } });
    expect(of('so101', [0, 2, 0, 3], stats(98))).toMatchObject([{ open_value: 100 }]);
    expect(of('so101', [0, 0.2, 0, 0.4], stats(1.7))).toMatchObject([{ open_value: null }]);
  });

  it('of a nameless SO-101 are the sixth dimension', () => {
    expect(findGripperDimensions(plan({ shape: [6] }), 'so101', null).map((row) => row.dimension)).toEqual([
      5,
    ]);
    expect(findGripperDimensions(plan({ shape: [6] }), 'franka', null)).toEqual([]);
  });
});
