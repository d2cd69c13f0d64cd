import type { Clock, ClockChoice } from './clock.ts';
import type { Frames } from './frames.ts';

/**
 * What a stream means to whoever trains on it. `action`: commanded. `state`: measured proprioception (joints, end
 * effector, gripper). `camera`: pictures. The rest name their sensor; `other` is kept and not judged.
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

/** Roles that follow the episode from its beginning to its end; status messages and labels may lie long before or after. */
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
/** How something is known: said by the recording, fixed by its format, read off its numbers, or not at all. */
export type Evidence = (typeof evidences)[number];

/** What the numbers of a stream count, and how that is known. */
export interface UnitOfMeasure {
  /** `rad`, `deg`, `m`, `m/s`, `normalised`, `mixed`, … or `unknown`. */
  readonly unit: string;
  readonly evidence: Evidence;
  /** What this rests on, in words. */
  readonly reason: string;
}

/** Numbers of a stream, row-major: sample i, dimension d at `values[i * dims + d]`. */
export interface Series {
  readonly values: Float32Array | Float64Array;
  readonly dims: number;
}

export interface Stream {
  /** Unique within its episode: the feature key or the topic (with the field path where a topic gives several). */
  readonly id: string;
  readonly role: StreamRole;
  readonly modality: 'numeric' | 'video' | 'image' | 'text' | 'opaque';
  /** Shape of one sample: `[6]`, `[480, 640, 3]`. */
  readonly shape: readonly number[];
  /** One name a dimension where the recording gives them. */
  readonly names: readonly string[] | null;
  readonly unit: UnitOfMeasure;
  /** What NaN says in this stream by its format's convention (PX4: `this axis is not controlled`); absent: nothing. */
  readonly nan_means?: string;
  /** What the recording says its rate is; what it really is follows from the clock. */
  readonly declared_rate_hz: number | null;
  readonly sample_count: number;
  /** Every clock the format kept. Empty for a stream without time (a lone picture). */
  readonly clocks: readonly Clock[];
  /** Which clock is used; null when there is none. */
  readonly clock: ClockChoice | null;
  /** Why its samples come when something happens and not at a rate (keys, goals), in words; absent: they follow a rate. */
  readonly event_driven?: string;
  /** Present for `numeric`. */
  readonly series?: Series;
  /** Present for `video` and `image`: where the pictures lie and what was kept of them. */
  readonly frames?: Frames;
}

/** Follows the episode from beginning to end at a rate of its own: holes, late starts and early ends are losses. */
export function keepsRate({ role, event_driven }: Stream): boolean {
  return recordedRoles.has(role) && event_driven === undefined;
}

/** The chosen stamps of a stream in seconds, or null where it has no clock. */
export function timesOf(stream: Stream): Float64Array | null {
  return stream.clock === null ? null : stream.clocks[stream.clock.index].time_s;
}

/** The clock in use, or null. */
export function clockOf(stream: Stream): Clock | null {
  return stream.clock === null ? null : stream.clocks[stream.clock.index];
}
