import type { Clock, ClockChoice, Finding, Stream, UnitOfMeasure } from '#core/episode';
import { gpsEpoch_s, gpsWeek_s, leapSecondsAt } from '../shared/gps-time.ts';
import type { SegmentArrays } from './arrays.ts';
import type { Segment } from './segment-files.ts';
import { inferFieldUnit, signalFacts } from './signals.ts';

/** Time origin of an episode's clocks. */
export interface TimeOrigin {
  /** Seconds since the device started. */
  readonly boot_s: number;
  /** The same moment in nanoseconds since the UNIX epoch; `null` if unknown. */
  readonly unix_ns: bigint | null;
}

const bootClockChoice: ClockChoice = {
  index: 0,
  reason:
    'time since the device booted, shared by all signals; the files do not say whether it marks capture or arrival',
};

/**
 * Converts a signal of processed_log to a stream with role, names and unit by the README; opaque if the signal has no
 * values.
 */
export function signalStream(signal: RawSignal, origin: TimeOrigin): Stream {
  const { id, values, dims } = signal;
  const facts = signalFacts(id);
  const field =
    /^IMU\/magnet(ometer|ic)$/.test(id) && values !== null && dims === 3 ? inferFieldUnit(values) : null;
  const clocks = [bootClock(signal.boot_s, origin), ...utcClock(signal, facts.names, origin)];
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
    clock: bootClockChoice,
    ...(values === null ? {} : { series: { values, dims } }),
  };
}

const poseAxes: Readonly<Record<string, { names: string[]; unit: string; reason: string }>> = {
  frame_positions: { names: ['x', 'y', 'z'], unit: 'm', reason: 'ECEF (comma2k19 README)' },
  frame_velocities: { names: ['x', 'y', 'z'], unit: 'm/s', reason: 'ECEF (comma2k19 README)' },
  frame_orientations: {
    names: ['w', 'x', 'y', 'z'],
    unit: 'quaternion',
    reason: 'rotation from ECEF to forward, right, down; Hamilton convention (comma2k19 README)',
  },
};

/**
 * Converts a pose array of global_pose to an odometry stream with one sample per video frame, timed like the frames.
 */
export function poseStream({ id, values, dims }: PoseArray, frames: FrameFacts, origin: TimeOrigin): Stream {
  const { names, unit, reason } = poseAxes[id];
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
    clocks: frameClocks(frames, origin),
    clock: bootClockChoice,
    series: { values, dims },
  };
}

/**
 * Returns the stream of the road camera, in which frame i has the time frame_times[i]; no clock if `frames` is `null`,
 * and a `missing` locator if the video file is absent.
 */
export function videoStream(
  path: string,
  exists: boolean,
  frames: FrameFacts | null,
  origin: TimeOrigin,
): Stream {
  const count = frames?.boot_s.length ?? null;
  return {
    id: 'video',
    role: 'camera',
    modality: 'video',
    shape: [],
    names: null,
    unit: { unit: 'px', evidence: 'known_format', reason: 'video file' },
    declared_rate_hz: null,
    sample_count: count ?? 0,
    clocks: frames === null ? [] : frameClocks(frames, origin),
    clock: frames === null ? null : bootClockChoice,
    frames: {
      locator: exists
        ? { type: 'video', path, from_s: 0, to_s: null, expected_frames: count, unstamped: true }
        : { type: 'missing', path, reason: 'the segment has no video.hevc' },
      declared_size_px: null,
      declared_codec: 'hevc',
    },
  };
}

function frameClocks({ boot_s, gps_s }: FrameFacts, origin: TimeOrigin): Clock[] {
  const first_s = boot_s[0] - origin.boot_s;
  const gps: Clock[] =
    gps_s === null
      ? []
      : [{ name: 'frame_gps_times', provenance: 'synthesised', time_s: gps_s.map((time) => time + first_s) }];
  return [{ ...bootClock(boot_s, origin), name: 'frame_times' }, ...gps];
}

function bootClock(boot_s: Float64Array, origin: TimeOrigin): Clock {
  return { name: 't', provenance: 'log', time_s: boot_s.map((time) => time - origin.boot_s) };
}

/** UTC stamps above this are milliseconds: the README says seconds, but its example has milliseconds. */
const maxSeconds = 1e11;

/**
 * Returns the GNSS receiver's own clock if the rows have a `utc_timestamp` column and the origin has a UTC time; else
 * none.
 */
function utcClock({ values, dims }: RawSignal, names: readonly string[] | null, origin: TimeOrigin): Clock[] {
  const column = names?.indexOf('utc_timestamp') ?? -1;
  if (values === null || names?.length !== dims || column < 0 || origin.unix_ns === null) return [];
  const start_s = Number(origin.unix_ns) / 1e9;
  const time_s = new Float64Array(values.length / dims);
  for (let i = 0; i < time_s.length; i++) {
    const stamp = values[i * dims + column];
    time_s[i] = stamp / (stamp > maxSeconds ? 1000 : 1) - start_s;
  }
  return [{ name: 'utc_timestamp', provenance: 'hardware', time_s }];
}

/** An array of global_pose, one row per video frame. */
interface PoseArray {
  readonly id: string;
  readonly values: Float64Array;
  readonly dims: number;
}

/** Times and poses of the video frames, from global_pose. */
export interface FrameFacts {
  /** Seconds since the device started. */
  readonly boot_s: Float64Array;
  /** GPS seconds since the first frame; `null` if absent. */
  readonly gps_s: Float64Array | null;
  /** Time of the first frame, nanoseconds since the UNIX epoch; `null` if unknown. */
  readonly unix_ns: bigint | null;
  readonly poses: readonly PoseArray[];
}

const poseNames = ['frame_positions', 'frame_orientations', 'frame_velocities'] as const;
const poseDims = { frame_positions: 3, frame_orientations: 4, frame_velocities: 3 } as const;

/**
 * Reads frame times and poses; `null` if the segment has no frame times. Arrays of the wrong length are left out and
 * reported.
 */
export async function readFrames(arrays: SegmentArrays): Promise<FrameFacts | null> {
  // The README writes global_pos, the data has global_pose.
  const folder = arrays.findPath('global_pos/frame_times') === null ? 'global_pose' : 'global_pos';
  const times = await arrays.readNumbers(`${folder}/frame_times`);
  if (times === null) return null;
  const boot_s = times.values;
  const gps = await arrays.readNumbers(`${folder}/frame_gps_times`);
  const isWhole = gps !== null && gps.values.length === 2 * boot_s.length;
  if (gps !== null && !isWhole)
    arrays.report(rowsFinding(`${folder}/frame_gps_times`, gps.values.length / 2, boot_s.length));
  const poses: PoseArray[] = [];
  for (const id of poseNames) {
    const array = await arrays.readNumbers(`${folder}/${id}`);
    if (array === null) continue;
    const dims = poseDims[id];
    if (array.values.length === dims * boot_s.length) poses.push({ id, dims, values: array.values });
    else arrays.report(rowsFinding(`${folder}/${id}`, array.values.length / dims, boot_s.length));
  }
  return {
    boot_s,
    gps_s: isWhole ? toContinuousSeconds(gps.values) : null,
    unix_ns: isWhole && boot_s.length > 0 ? gpsToUnix_ns(gps.values[0], gps.values[1]) : null,
    poses,
  };
}

function rowsFinding(name: string, rows: number, frames: number): Finding {
  return {
    code: 'signal_lengths_differ',
    severity: 'error',
    path: null,
    message: `${name} has ${rows} rows for ${frames} frames and was left out`,
    advice: 'copy the segment again',
    evidence: { rows, frames },
  };
}

/**
 * Converts GPS week and seconds of the week to nanoseconds since the UNIX epoch; `null` for values that are invalid or
 * outside the years that the leap-second table covers.
 */
function gpsToUnix_ns(week: number, time_of_week_s: number): bigint | null {
  if (!Number.isSafeInteger(week) || !(time_of_week_s >= 0 && time_of_week_s < gpsWeek_s)) return null;
  const leap_s = leapSecondsAt(week * gpsWeek_s + time_of_week_s);
  if (leap_s === null || week > 10_000) return null;
  const whole_s = gpsEpoch_s + week * gpsWeek_s - leap_s;
  return BigInt(whole_s) * 1_000_000_000n + BigInt(Math.round(time_of_week_s * 1e9));
}

/** Converts rows of (week, seconds of week) to seconds since the first row, continuous across week changes. */
function toContinuousSeconds(rows: Float64Array): Float64Array {
  const seconds = new Float64Array(rows.length / 2);
  for (let i = 0; i < seconds.length; i++)
    seconds[i] = (rows[2 * i] - rows[0]) * gpsWeek_s + (rows[2 * i + 1] - rows[1]);
  return seconds;
}

/** A signal of processed_log as stored on disk. */
export interface RawSignal {
  /** `CAN/speed`. */
  readonly id: string;
  /** Seconds since the device started. */
  readonly boot_s: Float64Array;
  /** Row-major values; `null` if the rows are only counted. */
  readonly values: Float64Array | null;
  /** Numbers per row. */
  readonly dims: number;
  /** Path of the array of times. */
  readonly path: string;
}

const signalFile = /(?:^|\/)processed_log\/((?:CAN|IMU|GNSS)\/[^/]+)\/[^/]+$/;

/** Reads every signal of a segment, sorted by name; incomplete signals are left out and reported. */
export async function readSignals(segment: Segment, arrays: SegmentArrays): Promise<RawSignal[]> {
  const ids = new Set(segment.files.flatMap(({ path }) => signalFile.exec(path)?.[1] ?? []));
  const signals: RawSignal[] = [];
  for (const id of [...ids].sort()) {
    const signal = await readSignal(id, arrays);
    if (signal !== null) signals.push(signal);
  }
  return signals;
}

async function readSignal(id: string, arrays: SegmentArrays): Promise<RawSignal | null> {
  const times = await arrays.readNumbers(`processed_log/${id}/t`);
  const path = arrays.findPath(`processed_log/${id}/t`);
  const hasNoValues = arrays.findPath(`processed_log/${id}/value`) === null;
  if (times === null || path === null) {
    if (path === null) arrays.report(incompleteFinding(id, 't', arrays));
    return null;
  }
  if (hasNoValues) return readOpaqueSignal(id, path, times.values, arrays);
  const value = await arrays.readNumbers(`processed_log/${id}/value`);
  if (value === null) return null;
  const rows = value.shape[0] ?? 1;
  const samples = Math.min(rows, times.values.length);
  if (rows !== times.values.length) arrays.report(lengthFinding(id, path, times.values.length, rows));
  const dims = rows === 0 ? 1 : value.values.length / rows;
  return {
    id,
    path,
    dims,
    boot_s: times.values.subarray(0, samples),
    values: value.values.subarray(0, samples * dims),
  };
}

/**
 * Reads a signal without a `value` array as an opaque signal. raw_can has bus, address and eight bytes per row, which
 * are only counted.
 */
async function readOpaqueSignal(
  id: string,
  path: string,
  boot_s: Float64Array,
  arrays: SegmentArrays,
): Promise<RawSignal | null> {
  const parts = ['src', 'address', 'data'].filter((part) => arrays.findPath(`processed_log/${id}/${part}`));
  if (parts.length === 0) {
    arrays.report(incompleteFinding(id, 'value', arrays));
    return null;
  }
  for (const part of parts) {
    const rows = await arrays.countRows(`processed_log/${id}/${part}`);
    if (rows !== null && rows !== boot_s.length)
      arrays.report(lengthFinding(`${id}/${part}`, path, boot_s.length, rows));
  }
  return { id, path, dims: 0, boot_s, values: null };
}

function incompleteFinding(id: string, lacking: string, arrays: SegmentArrays): Finding {
  const presentPath = arrays.findPath(`processed_log/${id}/${lacking === 't' ? 'value' : 't'}`);
  return {
    code: 'signal_incomplete',
    severity: 'error',
    path: presentPath,
    message: `${id} has no ${lacking} array and was left out`,
    advice: 'copy the whole folder of the signal again',
  };
}

function lengthFinding(id: string, path: string, times: number, rows: number): Finding {
  return {
    code: 'signal_lengths_differ',
    severity: 'error',
    path,
    message: `${id} has ${times} timestamps and ${rows} values; the first ${Math.min(times, rows)} of both are used`,
    advice: 'copy the segment again; the files do not show which ones are missing',
    evidence: { times, values: rows },
  };
}
