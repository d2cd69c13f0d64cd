import { describe, expect, it } from 'vitest';
import type { Stream } from '#core/episode';
import {
  filterRows,
  judgeWithCheck,
  mapValues,
  numericStream,
  swingingArm,
  testEpisode,
  testSubject,
  withTimestamps,
} from '../test-subject.ts';
import { signalSync } from './signal-sync.ts';

const judge = (streams: readonly Stream[]) => judgeWithCheck(signalSync, testEpisode(0, streams));
const at = (stream: Stream, row: number, d: number) => {
  const { values, dims } = stream.series!;
  return values[Math.min(stream.sample_count - 1, Math.max(0, row)) * dims + d];
};
const late = (stream: Stream, rows: number) => mapValues(stream, (_, i, d) => at(stream, i - rows, d));
/** An arm with pauses and turns: a pure sine matches itself a period later. */
const wandering = (seed: number): Stream[] => {
  const command = (i: number, d: number) =>
    Math.sin(0.021 * (d + 1) * i + seed) +
    0.6 * Math.sin(0.047 * i + d * 2 + seed) +
    0.3 * Math.sin(0.11 * i * (1 + 0.1 * d));
  return [
    numericStream('observation.state', 'state', 300, 6, (i, d) => command(i - 3, d)),
    numericStream('action', 'action', 300, 6, command),
  ];
};

describe('the lag of a state behind its action', () => {
  it('is measured from the motion alone, and small lags are fine', () => {
    const found = judge(wandering(1));
    expect(found).toMatchObject({ status: 'measured', score: 1, flags: [] });
    expect(found.values?.lag).toMatchObject({ lag_rows: expect.closeTo(3, -0.5), action_space: 'position' });
  });

  it('is flagged when ten frames are added, in either direction and up to a second', () => {
    const [state, action] = wandering(2);
    for (const rows of [10, 20]) {
      const found = judge([late(state, rows), action]);
      expect(found.flags).toEqual(['action_state_lag']);
      expect(found.values?.lag).toMatchObject({ lag_rows: expect.closeTo(rows + 3, -0.5) });
    }
    expect(judge([state, late(action, 10)]).flags).toEqual(['action_state_lag']);
    expect(judge([late(state, 5), action]).score).toBeGreaterThan(judge([late(state, 9), action]).score);
  });

  it('does not depend on units', () => {
    const [state, action] = wandering(3).map((stream) => mapValues(stream, (value) => 57.3 * value));
    expect(judge([late(state, 10), action]).flags).toEqual(['action_state_lag']);
  });

  it('is measured for actions that are velocities', () => {
    const [state, action] = wandering(4);
    const delta = mapValues(action, (_, i, d) => at(action, i + 1, d) - at(action, i, d));
    expect(judge([state, delta])).toMatchObject({ score: 1, values: { lag: { action_space: 'delta' } } });
  });

  it('is no verdict where the motion is too broad to place it', () => {
    const slow = (i: number, d: number) => Math.sin(0.004 * i + d);
    const streams = [
      numericStream('observation.state', 'state', 300, 6, (i, d) => slow(i - 14, d)),
      numericStream('action', 'action', 300, 6, slow),
    ];
    expect(judge(streams).flags).toEqual([]);
  });

  it('is measured between streams of different rates on their own clocks', () => {
    const command = (t: number, d: number) => Math.sin(1.3 * (d + 1) * t) + 0.5 * Math.sin(2.9 * t + d);
    const state = numericStream('state', 'state', 1000, 6, (i, d) => command(i / 100 - 0.45, d), 100);
    const action = numericStream('action', 'action', 300, 6, (i, d) => command(i / 30, d), 30);
    const found = judge([withTimestamps(state, 'header'), withTimestamps(action, 'header')]);
    expect(found.flags).toEqual(['action_state_lag']);
    expect(found.values?.lag).toMatchObject({ lag_s: expect.closeTo(0.45, 1) });
  });
});

describe('streams that should cover the episode together', () => {
  it('are flagged when one starts late or ends early, graded by how much is missed', () => {
    const [state, action] = wandering(5).map((stream) => withTimestamps(stream, 'header'));
    expect(judge([state, action]).score).toBe(1);
    const early = judge([filterRows(state, (row) => row < 240), action]);
    expect(early.flags).toEqual(['stream_ends_early']);
    expect(early.marked).toBe(1);
    expect(judge([filterRows(state, (row) => row < 200), action]).score).toBeLessThanOrEqual(early.score);
    expect(judge([state, filterRows(action, (row) => row > 80)]).flags).toContain('stream_starts_late');
  });

  it('are not flagged in flight for setpoints that come with arming and estimates that begin with a fix', () => {
    const [state, action] = wandering(5).map((stream) => withTimestamps(stream, 'hardware'));
    const inFlight = (streams: readonly Stream[]) => {
      const measured = signalSync.measure(testSubject(testEpisode(0, streams), 'aerial-flight'));
      return measured.status === 'measured'
        ? signalSync.judge(measured.values, {}).map(({ flag }) => flag)
        : [];
    };
    const sensor: Stream = { ...state, id: 'sensor_combined.gyro', role: 'imu' };
    const estimate: Stream = { ...state, id: 'vehicle_global_position.position', role: 'odometry' };
    const setpoint = filterRows(action, (row) => row > 80 && row < 200);
    expect(inFlight([sensor, filterRows(estimate, (row) => row > 80), setpoint])).toEqual([]);
    expect(inFlight([sensor, filterRows(estimate, (row) => row < 200)])).toEqual(['stream_ends_early']);
    expect(inFlight([estimate, filterRows(sensor, (row) => row > 80)])).toEqual(['stream_starts_late']);
  });

  it('are flagged when their rates are far apart', () => {
    const fast = withTimestamps(
      numericStream('s', 'state', 6000, 2, (i) => Math.sin(i / 300), 1000),
      'header',
    );
    const slow = withTimestamps(
      numericStream('a', 'action', 60, 2, (i) => Math.sin(i / 3), 10),
      'header',
    );
    expect(judge([fast, slow]).flags).toContain('rates_far_apart');
  });
});

describe('commands that are sent when something happens', () => {
  it('neither start late nor end early, and have no rate to be far from that of the state', () => {
    const state = withTimestamps(wandering(6)[0], 'log');
    const camera = withTimestamps(
      numericStream('imu', 'imu', 300, 3, (i) => Math.sin(i)),
      'log',
    );
    const keys = withTimestamps(
      filterRows(wandering(6)[1], (row) => row > 100 && row < 130),
      'log',
    );
    expect(judge([state, camera, keys]).flags).toContain('stream_ends_early');
    const found = judge([state, camera, { ...keys, event_driven: 'keys' }]);
    expect(found).toMatchObject({ score: 1, flags: [], values: { rates_hz: null, lag: null } });
  });
});

describe('what cannot be compared', () => {
  it('is not assessable on computed stamps without common motion, and says why', () => {
    const [state, action] = swingingArm(1);
    const still = mapValues(action, () => 1);
    const found = judge([state, still]);
    expect(found.status).toBe('not_assessable');
    expect(found.reason).toContain('synthesised');
    expect(judge([state]).status).not.toBe('measured');
    expect(judge([]).status).not.toBe('measured');
  });
});
