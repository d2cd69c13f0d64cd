import { describe, expect, it } from 'vitest';
import type { Stream } from '#core/episode';
import { judgeWithCheck, mapValues, numericStream, swingingArm, testEpisode } from '../test-subject.ts';
import { actionStateAgreement } from './action-state-agreement.ts';

const judge = (streams: readonly Stream[], notes = {}) =>
  judgeWithCheck(actionStateAgreement, testEpisode(0, streams), notes);
const [state, action] = swingingArm(7);
const named = (stream: Stream): Stream => ({ ...stream, names: ['a', 'b', 'c', 'd', 'e', 'f'] });

describe('a state that follows its action', () => {
  it('agrees, in any common unit', () => {
    expect(judge([state, action])).toMatchObject({ status: 'measured', score: 1, flags: [] });
    const degrees = [state, action].map((stream) => mapValues(stream, (value) => 57.3 * value));
    expect(judge(degrees).score).toBe(1);
  });

  it('disagrees in unit when one of the two is in degrees', () => {
    for (const streams of [
      [mapValues(state, (value) => 57.3 * value), action],
      [state, mapValues(action, (value) => 57.3 * value)],
    ])
      expect(judge(streams).flags).toEqual(['unit_mismatch']);
  });

  it('may differ in unit where the recording declares it', () => {
    const unit = (name: string) => ({ unit: name, evidence: 'declared' as const, reason: 'said' });
    const found = judge([
      { ...mapValues(state, (value) => 57.3 * value), unit: unit('deg') },
      { ...action, unit: unit('rad') },
    ]);
    expect(found.flags).toEqual([]);
  });
});

describe('an offset joint', () => {
  const offset = (by: number) =>
    judge([mapValues(state, (value, _, d) => value + (d === 4 ? by : 0)), action]);

  it('is flagged by its bias against the others, graded by size', () => {
    expect(offset(0.8).flags).toEqual(['joint_offset']);
    expect(offset(0.8).messages[0]).toContain('dimension 4');
    expect(offset(0.1).score).toBeGreaterThanOrEqual(offset(0.4).score);
    expect(offset(0.4).score).toBeGreaterThanOrEqual(offset(0.8).score);
  });

  it('is flagged by the other episodes where one alone would not show it', () => {
    const note = { stream: 'observation.state', dimension: 1, offset: 0.05, z: 12, share: 0.03 };
    const found = judge([state, action], { joint_offset: note });
    expect(found.flags).toEqual(['joint_offset']);
    expect(found.messages[0]).toContain('12');
    const worse = judge([state, action], { joint_offset: { ...note, z: 20 } });
    expect(worse.score).toBeLessThan(found.score);
  });
});

describe('what does not answer each other', () => {
  it('is flagged where both name the same joints', () => {
    const other = mapValues(action, (_, i, d) => Math.sin(0.13 * i * (1 + d) + d * d));
    expect(judge([named(state), named(other)]).flags).toEqual(['action_state_disagree']);
  });

  it('is not assessable if nothing states that they should agree', () => {
    const other = mapValues(action, (_, i, d) => Math.sin(0.13 * i * (1 + d) + d * d));
    expect(judge([state, other]).status).toBe('not_assessable');
    const wider = numericStream('action', 'action', 300, 7, (i, d) => Math.sin(i / 20 + d));
    expect(judge([state, wider]).reason).toContain('7 dimensions');
    expect(judge([state]).status).toBe('inapplicable');
    expect(judge([mapValues(state, () => 0), action]).status).toBe('not_assessable');
  });
});
