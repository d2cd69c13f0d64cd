import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import type { GripperConvention, Stream } from '#core/episode';
import { judgeWithCheck, mapValues, swingingArm, testEpisode } from '../test-subject.ts';
import { gripperActivity } from './gripper-activity.ts';
import { gripperConsistency } from './gripper-consistency.ts';

const names = ['pan', 'lift', 'elbow', 'flex', 'roll', 'gripper.pos'];
/** Closed from row 100 to row 200, opening and closing within ten rows; the state 4 rows late. */
const grip = (i: number) =>
  Math.min(1, Math.max(0, (i - 100) / 10)) - Math.min(1, Math.max(0, (i - 200) / 10));
function arm(stateOf: (i: number) => number, actionOf: (i: number) => number): Stream[] {
  const [state, action] = swingingArm(2).map((stream) => ({ ...stream, names }));
  return [
    mapValues(state, (value, i, d) => (d === 5 ? stateOf(i) : value)),
    mapValues(action, (value, i, d) => (d === 5 ? actionOf(i) : value)),
  ];
}
const late = (i: number) => grip(i - 4);
const activity = (streams: readonly Stream[]) => judgeWithCheck(gripperActivity, testEpisode(0, streams));
const consistency = (streams: readonly Stream[], grippers: readonly GripperConvention[] = []) =>
  judgeWithCheck(gripperConsistency, testEpisode(0, streams, { grippers }));

describe('gripper activity', () => {
  it('is fine where the gripper grasps once, on any scale', () => {
    for (const scale of [0.08, 1, 100, 255])
      expect(
        activity(
          arm(
            (i) => scale * late(i),
            (i) => scale * grip(i),
          ),
        ),
      ).toMatchObject({ score: 1, flags: [] });
  });

  it('flags a gripper that never moves, and one that toggles all the time', () => {
    expect(
      activity(
        arm(
          () => 0.4,
          () => 0.4,
        ),
      ).flags,
    ).toEqual(['gripper_idle']);
    expect(activity(arm((i) => Math.floor(i / 4) % 2, grip)).flags).toEqual(['gripper_chatter']);
    const slower = activity(arm((i) => Math.floor(i / 12) % 2, grip));
    expect(slower.score).toBeGreaterThan(0);
  });

  it('does not take the noise of a resting gripper for opening and closing', () => {
    const random = seededRandom(4);
    const noisy = Array.from({ length: 300 }, () => 0.6 + 0.1 * random.normal());
    expect(activity(arm((i) => noisy[i], grip)).flags).toEqual([]);
  });

  it('does not apply where nothing is known to be a gripper', () => {
    expect(activity(swingingArm(2)).status).toBe('inapplicable');
  });
});

describe('gripper consistency', () => {
  it('is fine where the state follows its command', () => {
    expect(consistency(arm(late, grip))).toMatchObject({ status: 'measured', score: 1, flags: [] });
    expect(
      consistency(
        arm(
          (i) => 0.04 * late(i),
          (i) => 2 * grip(i) - 1,
        ),
      ).flags,
    ).toEqual([]);
  });

  it('flags a state that counts the other way round', () => {
    expect(consistency(arm((i) => 1 - late(i), grip)).flags).toEqual(['gripper_polarity_mismatch']);
  });

  it('flags a gripper that does not answer', () => {
    expect(consistency(arm(() => 0.5, grip)).flags).toEqual(['gripper_not_following']);
  });

  it('flags values outside the scale that is declared, and not that known of the robot', () => {
    const convention = (high: number, evidence: GripperConvention['evidence']): GripperConvention => ({
      stream: 'observation.state',
      dimension: 5,
      name: 'gripper.pos',
      unit: '0..100 of calibrated travel',
      range_observed: [0, high],
      open_value: 100,
      evidence,
      reason: 'test',
    });
    const streams = arm(
      (i) => 100 * late(i),
      (i) => 100 * grip(i),
    );
    expect(consistency(streams, [convention(104, 'declared')]).flags).toEqual([]);
    expect(consistency(streams, [convention(160, 'declared')]).flags).toEqual(['gripper_out_of_range']);
    expect(consistency(streams, [convention(160, 'known_format')]).flags).toEqual([]);
  });

  it('accepts a state that moves in step with its command, on any scale', () => {
    const radians = (i: number) => 0.3 + 0.02 * late(i);
    const per_cent = (i: number) => 100 * grip(i);
    expect(consistency(arm(radians, per_cent)).flags).toEqual([]);
  });

  it('does not apply with a gripper in one stream only: it has nothing to agree with', () => {
    const [state, action] = arm(late, grip);
    expect(consistency([state, { ...action, names: null }]).status).toBe('inapplicable');
  });
});
