import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Episode, Stream } from '#core/episode';
import { discover } from '#formats';
import { deriveKind } from '../../kind.ts';
import { createEpisodeRecord } from '../../receipt.ts';
import { numericStream, testEpisode, testSubject } from '../../test-subject.ts';
import { kinematicSanity } from '../kinematic-sanity.ts';
import { timelineIntegrity } from '../timeline-integrity.ts';

const named = (stream: Stream, ...names: string[]): Stream => ({ ...stream, names });

/** A minute of a battery at 5 Hz. */
function battery(volts: (row: number) => number, cells: number | null = 4): Stream {
  const stream = numericStream(
    'battery_status.power',
    'other',
    300,
    2,
    (row, d) => (d === 0 ? volts(row) : (cells ?? 0)),
    5,
  );
  return named(stream, 'voltage_v', 'cell_count');
}

/** A minute of a satellite receiver at 5 Hz. */
function receiver(
  at: (row: number) => readonly [fix: number, eph: number, epv: number, satellites: number],
): Stream {
  const stream = numericStream('vehicle_gps_position.quality', 'gnss', 300, 4, (row, d) => at(row)[d], 5);
  return named(stream, 'fix_type', 'eph', 'epv', 'satellites_used');
}

const event = (time_s: number, label: string) => ({ time_s, label, source: 'vehicle_status.arming_state' });

function flagsOf(
  streams: readonly Stream[],
  more: Partial<Episode> = {},
  kind: 'aerial-flight' | 'teleop' = 'aerial-flight',
) {
  const subject = testSubject(testEpisode(0, streams, { duration_s: 60, ...more }), kind);
  const measured = kinematicSanity.measure(subject);
  if (measured.status !== 'measured') throw new Error(measured.reason);
  const aspects = kinematicSanity.judge(measured.values, {}).filter(({ score }) => score < 0.5);
  return aspects.map(({ flag, marks = [], message }) => ({ flag, marks, message: message() }));
}

const good = receiver(() => [3, 0.8, 1.2, 14]);

describe('flight health', () => {
  it('marks where the battery fell below 3.3 V a cell', () => {
    const [flag] = flagsOf([battery((row) => (row >= 100 && row < 150 ? 12.5 : 15.2)), good]);
    expect(flag).toMatchObject({ flag: 'battery_low', marks: [{ from_s: 20, to_s: 29.8 }] });
    expect(flag.message).toContain(
      'lowest voltage in flight 12.5 V; 50 of 300 samples below 13.2 V (4 cells)',
    );
  });

  it('counts cells by the first voltage where the autopilot does not say', () => {
    expect(flagsOf([battery((row) => (row < 100 ? 12.4 : 9.8), null), good])).toHaveLength(1);
    expect(flagsOf([battery((row) => (row < 100 ? 12.4 : 10.2), null), good])).toEqual([]);
  });

  it('does not take a voltage of zero, which is none, for an empty battery', () => {
    expect(flagsOf([battery(() => 0), good])).toEqual([]);
  });

  it('considers only the flight if the recording states when the aircraft was armed', () => {
    const streams = [battery((row) => (row < 50 || row >= 250 ? 5 : 15)), good];
    const events = [event(0, 'disarmed'), event(11, 'armed'), event(49, 'disarmed')];
    expect(flagsOf(streams)).toHaveLength(1);
    expect(flagsOf(streams, { events })).toEqual([]);
    expect(flagsOf(streams, { events: [event(11, 'armed')] })).toHaveLength(1);
  });

  it.each([
    ['a lost fix', [1, 0.8, 1.2, 14]],
    ['a horizontal accuracy of 6 m', [3, 6, 1.2, 14]],
    ['a vertical accuracy of 11 m', [3, 0.8, 11, 14]],
    ['half the satellites gone', [3, 0.8, 1.2, 6]],
  ] as const)('marks %s', (_, bad) => {
    const [flag] = flagsOf([receiver((row) => (row >= 100 && row < 130 ? bad : [3, 0.8, 1.2, 14]))]);
    expect(flag).toMatchObject({ flag: 'gnss_degraded', marks: [{ from_s: 20, to_s: 25.8 }] });
  });

  it('lets a single bad fix pass, and a receiver that is always coarse', () => {
    expect(flagsOf([receiver((row) => (row === 100 ? [1, 9, 20, 3] : [3, 0.8, 1.2, 14]))])).toEqual([]);
    expect(flagsOf([receiver(() => [3, 6, 9, 7])])).toEqual([]);
  });

  it('does not mention the fix of a receiver that reports only its accuracy', () => {
    const accuracy = numericStream('GPA.quality', 'gnss', 300, 1, (row) => (row < 200 ? 0.8 : 40), 5);
    const [flag] = flagsOf([named(accuracy, 'HAcc')]);
    expect(flag.message).toContain('100 of 300 samples in flight are degraded');
    expect(flag.message).not.toContain('3D fix throughout');
  });

  it('finds the rows in flight however often it is armed', () => {
    const events = Array.from({ length: 60 }, (_, i) => [event(i, 'armed'), event(i + 0.5, 'disarmed')]);
    const brief = receiver((row) => (row % 5 >= 3 ? [0, 99, 99, 0] : [3, 0.8, 1.2, 14]));
    expect(flagsOf([brief], { events: events.flat() })).toEqual([]);
    expect(flagsOf([brief])).toHaveLength(1);
  });

  it('adds nothing to the receipts of other recordings', () => {
    const streams = [battery(() => 5), receiver(() => [0, 99, 99, 0])];
    expect(flagsOf(streams, {}, 'teleop')).toEqual([]);
    const measured = kinematicSanity.measure(testSubject(testEpisode(0, streams), 'teleop'));
    expect(measured).toMatchObject({ status: 'measured', values: { motions: [], not_finite: [] } });
    expect('values' in measured && 'flight' in measured.values).toBe(false);
  });

  it('lets NaN be where the format gives it a meaning, and nowhere else', () => {
    const setpoint = numericStream('trajectory_setpoint.position', 'action', 100, 3, () => Number.NaN, 10);
    expect(flagsOf([setpoint, good]).map(({ flag }) => flag)).toEqual(['non_finite_values']);
    expect(flagsOf([{ ...setpoint, nan_means: 'not controlled' }, good])).toEqual([]);
  });
});

describe('what the autopilot itself reported', () => {
  const armed = [event(2, 'armed'), event(58, 'disarmed')];
  const told = (label: string, source: string, time_s: number) => ({ time_s, label, source });
  const codes = (streams: readonly Stream[], events: Episode['events']) =>
    flagsOf([good, ...streams], { events: [...armed, ...events] }).map(({ flag }) => flag);
  const status = (bits: (row: number) => number) =>
    named(
      numericStream('vehicle_status', 'other', 300, 3, (row, d) => [bits(row), 1, 0][d], 5),
      ...['failure_detector_status', 'vehicle_type', 'is_vtol'],
    );

  it.each([
    [1, 'roll failure'],
    [4, 'height failure'],
  ])('marks failure bit %i of the attitude as %s', (bit, what) => {
    const [flag] = flagsOf([good, status((row) => (row >= 150 && row < 160 ? bit : 0))], { events: armed });
    expect(flag).toMatchObject({ flag: 'attitude_failure', marks: [{ from_s: 30, to_s: 31.8 }] });
    expect(flag.message).toContain(what);
  });

  it('lets a failure of another kind, or one on the ground, be no failed attitude', () => {
    expect(codes([status((row) => (row >= 150 ? 32 : 0))], [])).toEqual([]);
    expect(codes([status((row) => (row < 9 || row > 292 ? 1 : 0))], [])).toEqual([]);
  });

  it('marks a failsafe of PX4 from its beginning to its end, in flight alone', () => {
    const source = 'vehicle_status.failsafe';
    const events = [told('failsafe', source, 20), told('failsafe over', source, 24)];
    const [flag] = flagsOf([good], { events: [...armed, ...events] });
    expect(flag).toMatchObject({ flag: 'autopilot_failsafe', marks: [{ from_s: 20, to_s: 24 }] });
    expect(codes([], [told('failsafe', source, 0.5), told('failsafe over', source, 1)])).toEqual([]);
  });

  it.each([
    [6, 'autopilot_failsafe'],
    [12, 'attitude_failure'],
    [16, 'estimator_reset'],
    [25, 'motor_output_lost'],
  ])('names an error of ArduPilot subsystem %i as %s, and not that it is over', (subsystem, flag) => {
    expect(codes([], [told(`error 2 of subsystem ${subsystem}`, 'ERR', 30)])).toEqual([flag]);
    expect(codes([], [told(`error 0 of subsystem ${subsystem}`, 'ERR', 30)])).toEqual([]);
  });

  it('marks a jump of the estimate, and neither a small one nor that of settling', () => {
    const reset = (at: number, metres: number) =>
      named(
        numericStream(
          'vehicle_local_position.other',
          'other',
          300,
          3,
          (row, d) => (row < at ? 0 : [1, metres, 0][d]),
          5,
        ),
        ...['xy_reset_counter', 'delta_xy[0]', 'delta_xy[1]'],
      );
    expect(codes([reset(150, 4)], [])).toEqual(['estimator_reset']);
    expect(codes([reset(150, 0.2)], [])).toEqual([]);
    expect(codes([reset(30, 4)], [])).toEqual([]);
  });

  it('names a text of level critical in flight, and none before', () => {
    const text = 'CRITICAL: [commander] Attitude failure (roll)';
    expect(codes([], [told(text, 'logged text', 30)])).toEqual(['autopilot_alarm']);
    expect(codes([], [told(text, 'logged text', 1)])).toEqual([]);
    expect(codes([], [told('WARNING: low battery', 'logged text', 30)])).toEqual([]);
  });

  it('marks a motor that stops or holds while the others work, of multirotors alone', () => {
    const motors = (change: (row: number, d: number, value: number) => number) =>
      named(
        numericStream(
          'actuator_motors.control',
          'action',
          600,
          4,
          (row, d) => change(row, d, 0.5 + 0.1 * Math.sin(row * (d + 1))),
          10,
        ),
        ...['control[0]', 'control[1]', 'control[2]', 'control[3]'],
      );
    const during = (row: number) => row >= 300 && row < 350;
    const flying = {
      ...motors((row, d, value) => (d === 2 && during(row) ? Number.NaN : value)),
      nan_means: 'off',
    };
    const [flag] = flagsOf([good, status(() => 0), flying], { events: armed });
    expect(flag).toMatchObject({ flag: 'motor_output_lost', marks: [{ from_s: 30, to_s: 34.9 }] });
    expect(flag.message).toContain('motor 3');
    expect(codes([flying], [])).toEqual([]);
    const held = motors((row, d, value) => (d === 0 && during(row) ? 0.4 : value));
    expect(codes([status(() => 0), held], [])).toEqual(['motor_output_lost']);
    const idle = motors((row, _, value) => (during(row) ? 0 : value));
    expect(codes([status(() => 0), idle], [])).toEqual([]);
  });
});

describe('dropouts of the recorder', () => {
  function judged(dropouts: Episode['dropouts']) {
    const streams = [numericStream('imu', 'imu', 600, 3, (row, d) => Math.sin(row + d), 10)];
    const timed = streams.map((stream) => ({
      ...stream,
      clocks: stream.clocks.map((clock) => ({ ...clock, provenance: 'hardware' as const })),
    }));
    const more = dropouts === undefined ? {} : { dropouts };
    const measured = timelineIntegrity.measure(
      testSubject(testEpisode(0, timed, { duration_s: 60, ...more }), 'aerial-flight'),
    );
    if (measured.status !== 'measured') throw new Error(measured.reason);
    return { values: measured.values, aspects: timelineIntegrity.judge(measured.values, {}) };
  }

  it('are in the receipt, counted and timed, however small', () => {
    const { values, aspects } = judged([
      { time_s: 1, duration_s: 0.062, lost: null },
      { time_s: 2, duration_s: 0.057, lost: null },
    ]);
    expect(values.dropouts).toMatchObject({
      count: 2,
      total_s: 0.119,
      longest_s: 0.062,
      spans_s: [
        [1, 1.062],
        [2, 2.057],
      ],
    });
    expect(aspects).toEqual([]);
  });

  it('raise a flag from half a second on, marked where they were', () => {
    const { aspects } = judged([{ time_s: 12, duration_s: 0.6, lost: null }]);
    expect(aspects[0]).toMatchObject({ flag: 'recorder_dropout', marks: [{ from_s: 12, to_s: 12.6 }] });
    expect(aspects[0].score).toBeLessThan(0.5);
  });

  it('are no word of a format that keeps no record of them', () => {
    expect(judged(undefined).values).not.toHaveProperty('dropouts');
    expect(judged([]).values.dropouts).toMatchObject({ count: 0, total_s: 0 });
  });
});

const flights = resolve(import.meta.dirname, '../../../../../../shared/data/ulog/flight-review');

/** Findings of PX4 Flight Review's own diagnostics, in seconds since boot. */
function diagnosed_s(name: string): number[] {
  const file = `flight_review__diagnostics__${name}__tests__detects_real_${name}.snap`;
  const [, json] = readFileSync(resolve(flights, file), 'utf8').split(/\n---\n/);
  return (JSON.parse(json) as { timestamp_us: number }[]).map(({ timestamp_us }) => timestamp_us / 1e6);
}

describe.skipIf(!existsSync(flights))('real flights with faults (skipped without ../shared/data)', () => {
  it.each([
    ['battery_brownout', 'battery_low', 3],
    ['gps_interference', 'gnss_degraded', 12],
  ])('%s: every event that Flight Review names lies within 0.5 s of a mark', async (name, code, events) => {
    const { datasets } = await discover(resolve(flights, `${name}.ulg`));
    const [{ dataset }] = datasets;
    for await (const episode of dataset.read(dataset.units[0], {})) {
      if ('unreadable' in episode) throw new Error(episode.finding.message);
      expect(deriveKind(episode).kind).toBe('aerial-flight');
      const start = episode.findings.find(({ code }) => code === 'clock_without_utc');
      const start_s = Number(start?.evidence?.start_us_since_boot) / 1e6;
      const flags = flagsOf(episode.streams, episode);
      expect(new Set(flags.map(({ flag }) => flag))).toEqual(new Set([code]));
      const marks = flags.flatMap(({ marks }) => marks);
      const named_s = diagnosed_s(name);
      expect(named_s).toHaveLength(events);
      for (const boot_s of named_s) {
        const at_s = boot_s - start_s;
        expect(marks.some(({ from_s, to_s }) => at_s >= from_s - 0.5 && at_s <= to_s + 0.5)).toBe(true);
      }
    }
  });
});

const sample = resolve(flights, '../pyulog/test/sample.ulg');

describe.skipIf(!existsSync(sample))('a real PX4 log with dropouts (skipped without ../shared/data)', () => {
  it('says in its receipt that the recorder lost 119 ms in 4 dropouts, 62 ms at most', async () => {
    const { datasets } = await discover(sample);
    for await (const episode of datasets[0].dataset.read(datasets[0].dataset.units[0], {})) {
      if ('unreadable' in episode) throw new Error(episode.finding.message);
      const subject = testSubject(episode, 'aerial-flight');
      const measured = timelineIntegrity.measure(subject);
      expect(measured).toMatchObject({
        values: { dropouts: { count: 4, total_s: 0.119, longest_s: 0.062 } },
      });
      const { findings, limits } = createEpisodeRecord(subject, []);
      expect(findings.find(({ code }) => code === 'recorder_dropouts')?.evidence).toEqual({
        count: 4,
        total_ms: 119,
        longest_ms: 62,
      });
      expect(limits).toEqual([
        'power: no battery voltage recorded in flight',
        'GNSS: no fix quality recorded in flight',
      ]);
    }
  });
});
