import { expect, it } from 'vitest';
import { boxOf, describeTrack, orientationAt, type TimelinePose, toTrack } from './pose-track.ts';

const pose: TimelinePose = {
  ...{ label: 'End effector', stream_id: 'eef_pos', unit: 'm', z_axis: 'up' },
  ...{ time_s: [0, 1, 2, 3], x: [0.1, 0.2, 0.2, 0.9], y: [0, 0, 0.1, 0.1], z: [0.2, 0.2, 0.2, 0.2] },
  ...{ starts: [3], quaternions: [[0, 0, 0, 1], null, null, null], orientation_problem: null },
};

it('the track of a pose has a length without its interruptions, and describes itself in words', () => {
  const track = toTrack(pose);
  expect(track.length).toBeCloseTo(0.2);
  expect(describeTrack(track)).toBe(
    'End effector: path of 0.2 m, x 0.1 to 0.9, y 0 to 0.1, z 0.2 to 0.2, up to 0.7 m/s',
  );
  expect(describeTrack(toTrack({ ...pose, x: [0, 0, 0, 0], y: [0, 0, 0, 0] }))).toBe(
    'End effector does not move',
  );
  expect(describeTrack(toTrack({ ...pose, unit: null }))).toContain('path of 0.2 units');
});

it('a track whose z points down is turned about x, with its orientations', () => {
  const track = toTrack({ ...pose, z_axis: 'down', quaternions: [[0, 0, 0, 1], null, null, null] });
  expect([...track.places.slice(0, 3)]).toEqual([0.1, -0, -0.2]);
  expect(orientationAt(track, 0)).toEqual([1, -0, 0, -0]);
  expect(orientationAt(track, 1)).toBeNull();
  expect(orientationAt(toTrack(pose), 0)).toEqual([0, 0, 0, 1]);
});

it('a scene stands on z = 0 if everything is above it and near it, with a grid of round cells', () => {
  const box = boxOf([toTrack(pose)]);
  expect(box).toMatchObject({ ground: 0, step: 0.1 });
  expect(box.size).toBeCloseTo(0.8);
  const far = boxOf([toTrack({ ...pose, z: [50, 50, 50, 50] })]);
  expect(far.ground).toBe(50);
  expect(boxOf([])).toMatchObject({ size: 1, ground: 0 });
});
