import { describe, expect, it } from 'vitest';
import type { Stream, UnitOfMeasure } from '#core/episode';
import { episodeOf, numbers } from '#test/annotation/known-motion';
import type { LaneEpisode } from '../lane.ts';
import { driveManoeuvres } from './drive-manoeuvres.ts';
import { flightPhases } from './flight-phases.ts';

const declared = (unit: UnitOfMeasure['unit']): UnitOfMeasure => ({
  unit,
  evidence: 'declared',
  reason: 'made so',
});
const rate_hz = 20;

/** Velocity north, east and down during each act, and its duration. */
type Act = readonly [lasts_s: number, north: number, east: number, down: number];

function flightOf(acts: readonly Act[], starts_s = 0): LaneEpisode {
  const velocity = acts.flatMap(([lasts_s, ...own]) => Array.from({ length: lasts_s * rate_hz }, () => own));
  let place = [0, 0, 0];
  const position = velocity.map((own) => {
    place = place.map((at, axis) => at + own[axis] / rate_hz);
    return place;
  });
  const time_s = Float64Array.from(velocity, (_, row) => starts_s + row / rate_hz);
  const series = (rows: readonly (readonly number[])[]) => ({
    values: Float64Array.from(rows.flat()),
    dims: 3,
  });
  const streams = [
    numbers('vehicle_local_position.position', 'odometry', series(position), time_s, ['x', 'y', 'z']),
    numbers('vehicle_local_position.velocity', 'odometry', series(velocity), time_s, ['vx', 'vy', 'vz']),
  ];
  return episodeOf(streams, 'aerial-flight', time_s.length / rate_hz);
}

describe('phases of a flight', () => {
  const acts: readonly Act[] = [
    [5, 0, 0, 0],
    [10, 0, 0, -2],
    [6, 0, 0, 0],
    [8, 5, 3, 0],
    [8, 0, 0, 1.5],
    [5, 0, 0, 0],
    [8, 0, 0, 1],
    [5, 0, 0, 0],
  ];

  it('follow one another from the ground to the ground', () => {
    const runs = flightPhases(flightOf(acts, 100))!;
    const phases = [
      'ground',
      'take_off',
      'climb',
      'hover',
      'cruise',
      'descent',
      'hover',
      'descent',
      'landing',
      'ground',
    ];
    expect(runs.map(({ label }) => label)).toEqual(phases);
    // It climbs 2 m/s, so 3 m take 1.5 s; it sinks the last 3 m at 1 m/s.
    const begins = [100, 105, 106.5, 115, 121, 129, 137, 142, 147, 150];
    for (const [at, run] of runs.entries()) {
      expect(Math.abs(run.from_s - begins[at])).toBeLessThan(0.7);
      expect(run.from_s).toBe(at === 0 ? 100 : runs[at - 1].to_s);
    }
  });

  it('are those that the autopilot says of the ground, where it says so', () => {
    const { facts, streams } = flightOf([[20, 0, 0, 0]]);
    const landed = { values: Float64Array.of(1, 0, 1), dims: 1 };
    const times = Float64Array.of(0, 5, 15);
    const said = numbers('vehicle_land_detected', 'other', landed, times, ['landed']);
    const runs = flightPhases({ facts, streams: [...streams, said] })!;
    expect(runs.map(({ label }) => label)).toEqual(['ground', 'hover', 'ground']);
    expect(runs.map(({ from_s }) => from_s)).toEqual([0, expect.closeTo(5, 0), expect.closeTo(15, 0)]);
  });

  it('are unknown of what is no flight, or does not say where down is', () => {
    const { facts, streams } = flightOf(acts);
    expect(flightPhases({ facts: { ...facts, kind: { kind: 'teleop', evidence: [] } }, streams })).toBeNull();
    const nameless = streams.map((stream) => ({ ...stream, names: ['a', 'b', 'c'] }));
    expect(flightPhases({ facts, streams: nameless })).toBeNull();
  });
});

/** Speed and turn rate (to the right) that each act reaches linearly from the previous one, and its duration. */
type Leg = readonly [lasts_s: number, to_m_per_s: number, right_rad_per_s: number];

function driveOf(legs: readonly Leg[], sensors: readonly ('speed' | 'gyro')[]): LaneEpisode {
  const rows: [speed: number, right: number][] = [];
  let speed = 0;
  for (const [lasts_s, to, right] of legs) {
    const [from, count] = [speed, lasts_s * rate_hz];
    for (let row = 0; row < count; row++) rows.push([from + ((to - from) * row) / count, right]);
    speed = to;
  }
  const time_s = Float64Array.from(rows, (_, row) => row / rate_hz);
  const values = Float64Array.from(rows, ([own]) => own);
  const turns = Float64Array.from(rows.flatMap(([, right]) => [0, 0, right]));
  const axes = ['forward', 'right', 'down'];
  const all: Record<'speed' | 'gyro', Stream> = {
    speed: {
      ...numbers('CAN/speed', 'vehicle', { values, dims: 1 }, time_s, ['speed']),
      unit: declared('m/s'),
    },
    gyro: {
      ...numbers('IMU/gyro', 'imu', { values: turns, dims: 3 }, time_s, axes),
      unit: declared('rad/s'),
    },
  };
  return episodeOf(
    sensors.map((own) => all[own]),
    'drive-log',
    time_s.length / rate_hz,
  );
}

describe('manoeuvres of a drive', () => {
  const legs: readonly Leg[] = [
    [4, 0, 0],
    [10, 15, 0],
    [6, 15, 0],
    [4, 15, 0.4],
    [6, 15, 0],
    [4, 15, -0.4],
    [5, 0, 0],
    [4, 0, 0],
  ];
  const labelsOf = (episode: LaneEpisode) => driveManoeuvres(episode)?.map(({ label }) => label);

  it('are told by speed and turning', () => {
    expect(labelsOf(driveOf(legs, ['speed', 'gyro']))).toEqual([
      ...['stop', 'accelerate', 'drive', 'turn_right', 'drive', 'turn_left', 'brake', 'stop'],
    ]);
  });

  it('are no turns where nothing tells of turning, and unknown without a speed', () => {
    expect(labelsOf(driveOf(legs, ['speed']))).toEqual(['stop', 'accelerate', 'drive', 'brake', 'stop']);
    expect(labelsOf(driveOf(legs, ['gyro']))).toBeUndefined();
  });
});
