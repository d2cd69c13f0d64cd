import { expect, it } from 'vitest';
import { nearestText } from './nearest-text.ts';

it('returns the candidate with the fewest typing mistakes', () => {
  const names = ['puppet/joint_position', 'master/joint_position', 'observations/images/top'];
  expect(nearestText('puppet/joint_positions', names)).toBe('puppet/joint_position');
  expect(nearestText('Master/Joint_position', names)).toBe('master/joint_position');
  expect(nearestText('images/top', names)).toBe('observations/images/top');
});

it('returns null if nothing is similar', () => {
  expect(nearestText('gripper', ['time', 'joint_1'])).toBeNull();
  expect(nearestText('gripper', [])).toBeNull();
});
