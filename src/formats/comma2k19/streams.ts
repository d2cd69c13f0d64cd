import type { Clock, ClockChoice, Stream, UnitOfMeasure } from '#core/episode';
import type { FrameFacts, PoseArray } from './read-frames.ts';
import type { RawSignal } from './read-signals.ts';
import { fieldUnit, signalFacts } from './signals.ts';

/** Where the clocks of an episode begin. */
export interface Zero {
  /** Seconds since the device started. */
  readonly boot_s: number;
  /** The same moment, nanoseconds since the UNIX epoch; null where nothing says it. */
  readonly unix_ns: bigint | null;
}

const sinceStart: ClockChoice = {
  index: 0,
  reason:
    'time since the device started, which all signals share; whether at capture or at arrival is not said',
};

export function signalStream(signal: RawSignal, zero: Zero): Stream {
  const { id, values, dims } = signal;
  const facts = signalFacts(id);
  const field =
    /^IMU\/magnet(ometer|ic)$/.test(id) && values !== null && dims === 3 ? fieldUnit(values) : null;
  const clocks = [bootClock(signal.boot_s, zero), ...utcClock(signal, facts.names, zero)];
  return {
    id,
    role: facts.role,
    modality: values === null ? 'opaque' : 'numeric',
    shape: values === null ? [] : [dims],
    names: facts.names?.length === dims ? facts.names : null,
    unit: field ?? facts.unit,
    declared_rate_hz: null,
    sample_count: signal.boot_s.length,
    clocks,
    clock: sinceStart,
    ...(values === null ? {} : { series: { values, dims } }),
  };
}

const axesOf: Readonly<Record<string, { names: string[]; unit: string; reason: string }>> = {
  frame_positions: { names: ['x', 'y', 'z'], unit: 'm', reason: 'ECEF, by the README of comma2k19' },
  frame_velocities: { names: ['x', 'y', 'z'], unit: 'm/s', reason: 'ECEF, by the README of comma2k19' },
  frame_orientations: {
    names: ['w', 'x', 'y', 'z'],
    unit: 'quaternion',
    reason: 'from ECEF to forward, right, down; Hamilton, by the README of comma2k19',
  },
};

export function poseStream({ id, values, dims }: PoseArray, frames: FrameFacts, zero: Zero): Stream {
  const { names, unit, reason } = axesOf[id];
  const stated: UnitOfMeasure = { unit, evidence: 'known_format', reason };
  return {
    id: `global_pose/${id}`,
    role: 'odometry',
    modality: 'numeric',
    shape: [dims],
    names,
    unit: stated,
    declared_rate_hz: null,
    sample_count: values.length / dims,
    clocks: frameClocks(frames, zero),
    clock: sinceStart,
    series: { values, dims },
  };
}

/** The road camera: frame i of the raw HEVC is shown at frame_times[i]. */
export function videoStream(path: string, isThere: boolean, frames: FrameFacts | null, zero: Zero): Stream {
  const count = frames?.boot_s.length ?? null;
  return {
    id: 'video',
    role: 'camera',
    modality: 'video',
    shape: [],
    names: null,
    unit: { unit: 'px', evidence: 'known_format', reason: 'a video file' },
    declared_rate_hz: null,
    sample_count: count ?? 0,
    clocks: frames === null ? [] : frameClocks(frames, zero),
    clock: frames === null ? null : sinceStart,
    frames: {
      locator: isThere
        ? { type: 'video', path, from_s: 0, to_s: null, expected_frames: count, unstamped: true }
        : { type: 'missing', path, reason: 'video.hevc is not in the segment' },
      declared_size_px: null,
      declared_codec: 'hevc',
    },
  };
}

function frameClocks({ boot_s, gps_s }: FrameFacts, zero: Zero): Clock[] {
  const first_s = boot_s[0] - zero.boot_s;
  const gps: Clock[] =
    gps_s === null
      ? []
      : [{ name: 'frame_gps_times', provenance: 'synthesised', time_s: gps_s.map((time) => time + first_s) }];
  return [{ ...bootClock(boot_s, zero), name: 'frame_times' }, ...gps];
}

function bootClock(boot_s: Float64Array, zero: Zero): Clock {
  return { name: 't', provenance: 'log', time_s: boot_s.map((time) => time - zero.boot_s) };
}

/** Later than any UTC in seconds: the README says seconds, its example has milliseconds. */
const surelyMilliseconds = 1e11;

/** The receiver's own time, where its rows carry one. */
function utcClock({ values, dims }: RawSignal, names: readonly string[] | null, zero: Zero): Clock[] {
  const column = names?.indexOf('utc_timestamp') ?? -1;
  if (values === null || names?.length !== dims || column < 0 || zero.unix_ns === null) return [];
  const start_s = Number(zero.unix_ns) / 1e9;
  const time_s = new Float64Array(values.length / dims);
  for (let i = 0; i < time_s.length; i++) {
    const stamp = values[i * dims + column];
    time_s[i] = stamp / (stamp > surelyMilliseconds ? 1000 : 1) - start_s;
  }
  return [{ name: 'utc_timestamp', provenance: 'hardware', time_s }];
}
