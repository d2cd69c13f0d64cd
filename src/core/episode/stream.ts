import type { Frames } from './frames.ts';

/**
 * Roles of streams in training. `action`: commands. `state`: measured proprioception (joints, end effector, gripper).
 * `camera`: pictures. The other roles name a sensor; streams with role `other` are read and not judged.
 */
export const streamRoles = [
  'action',
  'state',
  'camera',
  'depth',
  'imu',
  'gnss',
  'attitude',
  'odometry',
  'vehicle',
  'lidar',
  'effort',
  'tactile',
  'audio',
  'reward',
  'annotation',
  'other',
] as const;
export type StreamRole = (typeof streamRoles)[number];

/** Roles whose streams cover the whole episode; status messages and labels may lie long before or after it. */
export const recordedRoles: ReadonlySet<StreamRole> = new Set<StreamRole>([
  'action',
  'state',
  'camera',
  'depth',
  'imu',
  'gnss',
  'attitude',
  'odometry',
  'vehicle',
  'lidar',
  'effort',
  'tactile',
  'audio',
]);

export const evidences = ['declared', 'known_format', 'measured', 'unknown'] as const;
/** How a fact is known: declared by the recording, fixed by its format, measured from its numbers, or not at all. */
export type Evidence = (typeof evidences)[number];

/** Unit of a stream's numbers, and how it is known. */
export interface UnitOfMeasure {
  /** `rad`, `deg`, `m`, `m/s`, `normalised`, `mixed`, … or `unknown`. */
  readonly unit: string;
  readonly evidence: Evidence;
  /** Explanation of the evidence. */
  readonly reason: string;
}

/** Numbers of a stream, row-major: sample i, dimension d at `values[i * dims + d]`. */
export interface Series {
  readonly values: Float32Array | Float64Array;
  readonly dims: number;
}

/** One signal of an episode, with its samples and clocks. */
export interface Stream {
  /** Unique within its episode: the feature key or the topic (with the field path where a topic gives several). */
  readonly id: string;
  readonly role: StreamRole;
  readonly modality: 'numeric' | 'video' | 'image' | 'text' | 'opaque';
  /** Shape of one sample: `[6]`, `[480, 640, 3]`. */
  readonly shape: readonly number[];
  /** One name per dimension; `null` if the recording names none. */
  readonly names: readonly string[] | null;
  readonly unit: UnitOfMeasure;
  /** Meaning of NaN in this stream by the format's convention (PX4: `this axis is not controlled`); absent if it has none. */
  readonly nan_means?: string;
  /** Rate that the recording declares; the real rate follows from the clock. */
  readonly declared_rate_hz: number | null;
  readonly sample_count: number;
  /** Every clock that the format stores. Empty for a stream without time (a single picture). */
  readonly clocks: readonly Clock[];
  /** The clock in use; `null` if there is none. */
  readonly clock: ClockChoice | null;
  /** Reason why samples occur on events instead of at a rate (keys, goals); absent if they follow a rate. */
  readonly event_driven?: string;
  /** Present for `numeric`. */
  readonly series?: Series;
  /** Present for `video` and `image`. */
  readonly frames?: Frames;
}

/** Returns true if the stream covers the whole episode at a rate, so that gaps, late starts and early ends are losses. */
export function shouldKeepRate({ role, event_driven }: Stream): boolean {
  return recordedRoles.has(role) && event_driven === undefined;
}

/** Returns the stamps of the stream's chosen clock in seconds, or `null` if it has no clock. */
export function timesOf(stream: Stream): Float64Array | null {
  return stream.clock === null ? null : stream.clocks[stream.clock.index].time_s;
}

/** Returns the stream's chosen clock, or `null` if it has none. */
export function clockOf(stream: Stream): Clock | null {
  return stream.clock === null ? null : stream.clocks[stream.clock.index];
}

/**
 * Origins of a clock's stamps, most trusted first.
 * `hardware`: stamped by the sensor or its board (ULog boot time, a device counter).
 * `header`: written by the driver into the message (ROS header.stamp, image acquisition time).
 * `publish`: stamped by the sender's middleware (MCAP publish_time, DDS source time).
 * `log`: stamped by the recorder at arrival.
 * `synthesised`: computed (frame_index / fps); proves nothing about capture.
 */
export const clockProvenances = ['hardware', 'header', 'publish', 'log', 'synthesised'] as const;
export type ClockProvenance = (typeof clockProvenances)[number];

/** One clock of a stream: a time for each of its samples. */
export interface Clock {
  /** Name used by the format: `header.stamp`, `log_time`, `timestamp`, `pts`. */
  readonly name: string;
  readonly provenance: ClockProvenance;
  /** Seconds since `Episode.start_ns` (or since the format's own zero), one per sample, in recording order. */
  readonly time_s: Float64Array;
}

/** The clock that was chosen for a stream and why; copied into the receipt. */
export interface ClockChoice {
  /** Index into `Stream.clocks`. */
  readonly index: number;
  readonly reason: string;
}
