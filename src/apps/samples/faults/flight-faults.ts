import { timesOf } from '#core/episode';
import { keepSamples, replaceStreams, timeOfRow, withValues } from './edit.ts';
import type { EpisodeFault } from './fault.ts';

const batterySagSizes = {
  small: { lowest_v: 3.15, seconds: 3 },
  medium: { lowest_v: 2.9, seconds: 6 },
  large: { lowest_v: 2.2, seconds: 12 },
} as const;
const fullCell_v = 4.2;

export const batterySag: EpisodeFault = {
  id: 'battery_sag',
  title: 'Battery voltage sag',
  about: 'A worn or cold pack sags under load: down to 3.15, 2.9 or 2.2 V per cell for 3, 6 or 12 s.',
  timeline: false,
  peers: 0,
  flags: ['battery_low'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    const dimensionOf = (names: readonly string[] | null) =>
      names?.findIndex((name) => /^volt/i.test(name)) ?? -1;
    const stream = episode.streams.find(({ id, names }) => /batter/i.test(id) && dimensionOf(names) >= 0);
    if (stream?.series === undefined || stream.sample_count < 20) return null;
    const dimension = dimensionOf(stream.names);
    const { values, dims } = stream.series;
    const cells = Math.max(1, Math.round(values[dimension] / fullCell_v));
    const { lowest_v, seconds } = batterySagSizes[size];
    const until_s = timeOfRow(stream, stream.sample_count - 1);
    const from_s = random.between(0.2, 0.5) * until_s;
    const to_s = Math.min(until_s, from_s + seconds);
    const isLow = (row: number) => timeOfRow(stream, row) >= from_s && timeOfRow(stream, row) <= to_s;
    const changed = withValues(stream, (own) => {
      for (let row = 0; row * dims < own.length; row++)
        if (isLow(row)) own[row * dims + dimension] = cells * (lowest_v + 0.02 * random.next());
    });
    return {
      episode: replaceStreams(episode, [changed]),
      marks: [{ stream: stream.id, from_s, to_s, dimension }],
    };
  },
};

const gnssLossSeconds = { small: 4, medium: 8, large: 16 } as const;

/** Values that a receiver reports without a fix, by column name. */
const noFixValues: readonly (readonly [RegExp, number])[] = [
  [/^(fix_type|status)$/i, 0],
  [/^(satellites_used|nsats)$/i, 0],
  [/^(eph|epv|hacc|vacc)$/i, 100],
];

export const gnssLoss: EpisodeFault = {
  id: 'gnss_loss',
  title: 'Lost GNSS fix',
  about: 'A jammer, a bridge or a loose antenna: the receiver reports no fix for 4, 8 or 16 s.',
  timeline: false,
  peers: 0,
  flags: ['gnss_degraded'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    const stream = episode.streams.find(
      ({ role, names }) => role === 'gnss' && names?.some((name) => noFixValues[0][0].test(name)),
    );
    if (stream?.names == null || stream.sample_count < 20) return null;
    const { names } = stream;
    const until_s = timeOfRow(stream, stream.sample_count - 1);
    const from_s = random.between(0.2, 0.5) * until_s;
    const to_s = Math.min(until_s, from_s + gnssLossSeconds[size]);
    const changed = withValues(stream, (values, dims) => {
      for (let row = 0; row * dims < values.length; row++) {
        const time_s = timeOfRow(stream, row);
        if (time_s < from_s || time_s > to_s) continue;
        for (const [d, name] of names.entries()) {
          const value = noFixValues.find(([pattern]) => pattern.test(name))?.[1];
          if (value !== undefined) values[row * dims + d] = value;
        }
      }
    });
    return { episode: replaceStreams(episode, [changed]), marks: [{ stream: stream.id, from_s, to_s }] };
  },
};

const recorderDropoutSeconds = { small: 0.6, medium: 1.5, large: 4 } as const;

export const recorderDropout: EpisodeFault = {
  id: 'recorder_dropout',
  title: 'Reported logger dropout',
  about:
    'The SD card stalls: nothing is logged for 0.6, 1.5 or 4 s, and the logger records the length of the gap.',
  timeline: true,
  peers: 0,
  flags: ['recorder_dropout', 'timeline_gap'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    if (episode.duration_s < 20) return null;
    const from_s = random.between(0.2, 0.7) * episode.duration_s;
    const to_s = from_s + recorderDropoutSeconds[size];
    const streams = episode.streams.map((stream) => {
      const times = timesOf(stream);
      return times === null ? stream : keepSamples(stream, (i) => !(times[i] > from_s && times[i] < to_s));
    });
    const dropouts = [...(episode.dropouts ?? []), { time_s: from_s, duration_s: to_s - from_s, lost: null }];
    return {
      episode: { ...episode, streams, dropouts },
      marks: [{ stream: streams[0].id, from_s, to_s }],
    };
  },
};

const attitudeFailureSeconds = { small: 0.5, medium: 2, large: 10 } as const;
const rollFailure = 1;

export const attitudeFailure: EpisodeFault = {
  id: 'attitude_failure',
  title: 'Attitude failure reported by the autopilot',
  about: 'The aircraft rolls over in flight: PX4’s failure detector reports it for 0.5, 2 or 10 s.',
  timeline: false,
  peers: 0,
  flags: ['attitude_failure'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    const stream = episode.streams.find(({ names }) => names?.includes('failure_detector_status'));
    if (stream?.names == null || stream.sample_count < 20) return null;
    const at = stream.names.indexOf('failure_detector_status');
    const from_s = random.between(0.3, 0.6) * timeOfRow(stream, stream.sample_count - 1);
    const to_s = from_s + attitudeFailureSeconds[size];
    const changed = withValues(stream, (values, dims) => {
      for (let row = 0; row * dims < values.length; row++) {
        const time_s = timeOfRow(stream, row);
        if (time_s >= from_s && time_s <= to_s) values[row * dims + at] = rollFailure;
      }
    });
    return { episode: replaceStreams(episode, [changed]), marks: [{ stream: stream.id, from_s, to_s }] };
  },
};

const autopilotFailsafeSeconds = { small: 1, medium: 5, large: 20 } as const;
const failsafeSource = 'vehicle_status.failsafe';

export const autopilotFailsafe: EpisodeFault = {
  id: 'autopilot_failsafe',
  title: 'Failsafe in flight',
  about:
    'The radio link or the battery fails: the autopilot reports a failsafe and flies on its own for 1, 5 or 20 s.',
  timeline: false,
  peers: 0,
  flags: ['autopilot_failsafe'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    if (!episode.events.some(({ label }) => label === 'armed')) return null;
    const from_s = random.between(0.3, 0.6) * episode.duration_s;
    const to_s = from_s + autopilotFailsafeSeconds[size];
    const events = [
      ...episode.events,
      { time_s: from_s, label: 'failsafe', source: failsafeSource },
      { time_s: to_s, label: 'failsafe over', source: failsafeSource },
    ].sort((a, b) => a.time_s - b.time_s);
    return { episode: { ...episode, events }, marks: [{ stream: failsafeSource, from_s, to_s }] };
  },
};

const estimatorResetMetres = { small: 1.5, medium: 5, large: 20 } as const;

export const estimatorReset: EpisodeFault = {
  id: 'estimator_reset',
  title: 'Estimator reset',
  about:
    'After bad satellite reception the estimator resets to a position 1.5, 5 or 20 m away, and counts the reset.',
  timeline: false,
  peers: 0,
  flags: ['estimator_reset'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    const stream = episode.streams.find(({ names }) => names?.includes('xy_reset_counter'));
    if (stream?.names == null || stream.sample_count < 20) return null;
    const [counter, delta] = ['xy_reset_counter', 'delta_xy[0]'].map((name) => stream.names!.indexOf(name));
    const reset = Math.floor(random.between(0.4, 0.7) * stream.sample_count);
    const changed = withValues(stream, (values, dims) => {
      for (let row = reset; row * dims < values.length; row++) {
        values[row * dims + counter] += 1;
        values[row * dims + delta] = estimatorResetMetres[size];
      }
    });
    const [from_s, to_s] = [reset - 1, reset].map((row) => timeOfRow(stream, row));
    return { episode: replaceStreams(episode, [changed]), marks: [{ stream: stream.id, from_s, to_s }] };
  },
};

const motorStopSeconds = { small: 3, medium: 6, large: 15 } as const;

export const motorStop: EpisodeFault = {
  id: 'motor_stop',
  title: 'Motor failure',
  about: 'An output fails: one motor is stopped, or holds its last command, for 3, 6 or 15 s.',
  timeline: false,
  peers: 0,
  flags: ['motor_output_lost'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    const stream = episode.streams.find(({ id }) => id === 'actuator_motors.control');
    if (stream?.series === undefined || stream.sample_count < 20) return null;
    const motor = random.integer(0, 3);
    const stops = random.next() < 0.5;
    const from_s = random.between(0.3, 0.6) * timeOfRow(stream, stream.sample_count - 1);
    const to_s = from_s + motorStopSeconds[size];
    const changed = withValues(stream, (values, dims) => {
      let lastValue = Number.NaN;
      for (let row = 0; row * dims < values.length; row++) {
        const time_s = timeOfRow(stream, row);
        if (time_s < from_s) lastValue = stops ? Number.NaN : values[row * dims + motor];
        else if (time_s <= to_s) values[row * dims + motor] = lastValue;
      }
    });
    const mark = { stream: stream.id, from_s, to_s, dimension: motor };
    return { episode: replaceStreams(episode, [changed]), marks: [mark] };
  },
};
