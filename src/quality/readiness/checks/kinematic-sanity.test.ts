import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import type { Stream } from '#core/episode';
import {
  judgeWithCheck,
  mapValues,
  numericStream,
  swingingArm,
  testEpisode,
  withTimestamps,
} from '../test-subject.ts';
import { kinematicSanity } from './kinematic-sanity.ts';

const judge = (streams: readonly Stream[]) => judgeWithCheck(kinematicSanity, testEpisode(0, streams));
const [state, action] = swingingArm(1);
const row = (stream: Stream, at: number, dimension: number) =>
  stream.series!.values[at * stream.series!.dims + dimension];

describe('motion that is as it should be', () => {
  it('scores 1, in any unit and any order of dimensions', () => {
    expect(judge([state, action])).toMatchObject({ status: 'measured', score: 1, flags: [] });
    const inDegrees = [state, action].map((stream) => mapValues(stream, (value) => value * 57.3));
    expect(judge(inDegrees).score).toBe(1);
    const turned = [state, action].map((stream) => mapValues(stream, (_, i, d) => row(stream, i, 5 - d)));
    expect(judge(turned).score).toBe(1);
  });

  it('allows switches and grippers to leap', () => {
    const toggling = [state, action].map((stream) =>
      mapValues(stream, (value, i, d) => (d === 5 ? Math.floor(i / 75) % 2 : value)),
    );
    expect(judge(toggling).score).toBe(1);
  });

  it('allows an angle to wrap', () => {
    const turning = mapValues(state, (value, i, d) =>
      d === 0 ? ((0.05 * i) % (2 * Math.PI)) - Math.PI : value,
    );
    expect(judge([turning]).flags).toEqual([]);
  });

  it('allows a simulator without inertia to start, turn and stop from one sample to the next', () => {
    // Two dimensions that seldom move: a bend of theirs stands far out of all others.
    const path = (i: number, d: number) => {
      const at = Math.min(60, Math.max(0, i - 60));
      return 0.03 * (1 + d) * (at < 40 ? at : 80 - at);
    };
    const turtle = numericStream('/turtle1/pose', 'state', 200, 2, path);
    expect(judge([turtle])).toMatchObject({ flags: [] });
    const torn = mapValues(turtle, (value, i, d) => (d === 0 && i === 80 ? value + 0.4 : value));
    expect(judge([torn]).flags).toEqual(['signal_jump']);
  });

  it('allows a robot to rest, command and answer alike', () => {
    const resting = [state, action].map((stream) =>
      mapValues(stream, (value, i, d) => (i < 60 ? row(stream, 60, d) : value)),
    );
    expect(judge(resting).flags).toEqual([]);
  });
});

describe('values that are not finite', () => {
  it('are flagged from the first on, with the place', () => {
    for (const bad of [Number.NaN, Infinity]) {
      const found = judge([mapValues(state, (value, i, d) => (i === 120 && d === 2 ? bad : value)), action]);
      expect(found.flags).toEqual(['non_finite_values']);
      expect(found.messages[0]).toContain('dimension 2');
      expect(found.marked).toBe(1);
    }
  });
});

describe('frozen signals', () => {
  const freeze = (stream: Stream, from: number, to: number) =>
    mapValues(stream, (value, i, d) => (i >= from && i < to ? row(stream, from, d) : value));

  it('flags a frozen state, and the more the longer', () => {
    const [short, long, whole] = [45, 120, 300].map((length) => judge([freeze(state, 0, length), action]));
    for (const found of [short, long, whole]) expect(found.flags).toEqual(['state_frozen']);
    expect(judge([freeze(state, 0, 24), action]).score).toBeGreaterThan(short.score);
    expect(short.score).toBeGreaterThanOrEqual(long.score);
    expect(whole.score).toBe(0);
  });

  it('flags a frozen action', () => {
    expect(judge([state, freeze(action, 100, 220)]).flags).toEqual(['action_frozen']);
    expect(judge([state, freeze(action, 0, 300)]).flags).toEqual(['action_frozen']);
  });

  it('flags a frozen state that is recorded on a clock of its own', () => {
    const own = [
      withTimestamps(freeze(state, 100, 220), 'header', (i) => i / 30 + 0.004),
      withTimestamps(action, 'header'),
    ];
    expect(judge(own).flags).toEqual(['state_frozen']);
  });

  it('does not call a frozen arm smooth when there is no action to compare it with', () => {
    expect(judge([mapValues(state, (_, __, d) => d)]).flags).toEqual(['signal_still']);
  });

  it('flags one joint that stands still while it is commanded to move', () => {
    const stuck = mapValues(state, (value, i, d) => (d === 3 && i > 60 ? row(state, 60, 3) : value));
    const found = judge([stuck, action]);
    expect(found.flags).toEqual(['joint_stuck']);
    expect(found.messages[0]).toContain('dimension 3');
  });
});

describe('signals that leap, clip, alternate or change their unit', () => {
  it('flags a spike of one or two samples and a step that stays, graded by height', () => {
    const spike = (height: number, length: number) =>
      judge([
        mapValues(state, (value, i, d) => value + (d === 1 && i >= 140 && i < 140 + length ? height : 0)),
        action,
      ]);
    for (const length of [1, 2, 150]) expect(spike(0.8, length).flags).toEqual(['signal_jump']);
    expect(spike(0.02, 1).score).toBeGreaterThanOrEqual(spike(0.1, 1).score);
    expect(spike(0.1, 1).score).toBeGreaterThanOrEqual(spike(0.8, 1).score);
  });

  it('flags degrees after radians, for all joints and for one', () => {
    for (const only of [null, 0]) {
      const half = mapValues(state, (value, i, d) =>
        i >= 150 && (only === null || d === only) ? value * (180 / Math.PI) : value,
      );
      expect(judge([half, action]).flags).toContain('unit_change');
    }
  });

  it('flags a clipped command, and not a joint that comes to rest at the end of its range', () => {
    const clip = (limit: number) =>
      mapValues(action, (value, _, d) => (d === 2 ? Math.min(value, limit) : value));
    expect(judge([state, clip(0.2)]).flags).toEqual(['signal_saturated']);
    const smoothStep = (t: number) => t * t * t * (10 - 15 * t + 6 * t * t);
    const arriving = mapValues(action, (value, i, d) => (d === 2 ? smoothStep(Math.min(1, i / 150)) : value));
    expect(judge([state, arriving]).flags).toEqual([]);
    const noise = seededRandom(8);
    const code = 0.02;
    const restsOnOneCode = mapValues(action, (_, i, d) => {
      const position = d === 2 ? smoothStep(Math.min(1, i / 150)) : Math.sin(i / 40);
      const read = Math.round(position / code + (i < 170 ? 0.6 * noise.normal() : 0)) * code;
      return d === 2 ? Math.min(read, 1) : read;
    });
    expect(judge([state, restsOnOneCode]).flags).not.toContain('signal_saturated');
  });

  it('flags alternation from sample to sample, and not the play of an encoder', () => {
    const noise = seededRandom(5);
    const swing = (size: number) =>
      judge([
        mapValues(
          state,
          (value, i, d) => value + (d === 4 && i > 100 && i < 180 ? size * (i % 2 === 0 ? 1 : -1) : 0),
        ),
        action,
      ]);
    expect(swing(0.05).flags).toEqual(['signal_chatter']);
    expect(swing(0.001).score).toBe(1);
    const coarse = mapValues(state, (value, _, d) =>
      d === 4 ? Math.round(value / 0.05 + 0.4 * noise.normal()) * 0.05 : value,
    );
    expect(judge([coarse, action]).flags).not.toContain('signal_chatter');
  });
});

describe('commands that are sent when something happens', () => {
  it('may hold one value while the robot drives on, and step from one to the next', () => {
    const held = mapValues(action, (_, i) => (i < 240 ? 0.2 : 0));
    expect(judge([state, held]).flags).toContain('action_frozen');
    expect(judge([state, { ...held, event_driven: 'keys' }]).flags).toEqual([]);
  });
});

describe('odd shapes', () => {
  it('are not assessable rather than an exception', () => {
    expect(judge([]).status).toBe('inapplicable');
    for (const [rows, dims] of [
      [0, 6],
      [1, 6],
      [2, 3],
      [50, 0],
    ])
      expect(judge([numericStream('s', 'state', rows, dims, () => 1)]).status).toBe('not_assessable');
  });
});
