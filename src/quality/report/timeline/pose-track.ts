import { number } from '../views/index.ts';
import { computeSpeeds } from './path.ts';

/** A pose of an episode; see `get_poses` of the API. */
export interface TimelinePose {
  readonly label: string;
  readonly stream_id: string;
  /** Unit of the positions; `null` if the recording does not state it. */
  readonly unit: 'm' | null;
  readonly z_axis: 'up' | 'down';
  readonly time_s: readonly number[];
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly z: readonly number[];
  /** Indices of points before which the recording is interrupted. */
  readonly starts: readonly number[];
  /** Unit quaternion x, y, z, w of each point; `null` without one. */
  readonly quaternions: readonly (readonly number[] | null)[] | null;
  /** Reason why a recorded orientation is not read; `null` if it is, or if none is recorded. */
  readonly orientation_problem: string | null;
}

type Triple = readonly [x: number, y: number, z: number];
type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** Path of one pose, to be drawn with z up and described in the coordinates of the recording. */
export interface PoseTrack {
  readonly pose: TimelinePose;
  readonly time_s: Float64Array;
  /** Positions with z up, three numbers each, in the unit of the recording. */
  readonly places: Float64Array;
  /** Mean speed over about a second around each point, in the unit of the recording per second. */
  readonly speed: Float64Array;
  /** Indices of points before which the path is interrupted. */
  readonly starts: ReadonlySet<number>;
  /** Length of the path without its interruptions. */
  readonly length: number;
  /** Name of the unit of length; `units` if the recording does not state it. */
  readonly unit: string;
}

/**
 * Converts a pose to a track with z up, and computes speed and length of its path. Positions are turned half a turn
 * about x if the recording has z down.
 */
export function toTrack(pose: TimelinePose): PoseTrack {
  const time_s = Float64Array.from(pose.time_s);
  const axes = [pose.x, pose.y, pose.z].map((axis) => Float64Array.from(axis));
  const places = new Float64Array(3 * time_s.length);
  const starts = new Set(pose.starts);
  // Half a turn about x brings z up and keeps the axes right-handed.
  const sign = pose.z_axis === 'down' ? -1 : 1;
  let length = 0;
  for (let i = 0; i < time_s.length; i++) {
    places.set([axes[0][i], sign * axes[1][i], sign * axes[2][i]], 3 * i);
    if (i > 0 && !starts.has(i)) length += Math.hypot(...axes.map((axis) => axis[i] - axis[i - 1]));
  }
  const unit = pose.unit ?? 'units';
  return { pose, time_s, places, speed: computeSpeeds(time_s, axes), starts, length, unit };
}

/** Returns the orientation at point `i` as a quaternion x, y, z, w with z up; `null` if it is unknown. */
export function orientationAt({ pose }: PoseTrack, i: number): Quaternion | null {
  const turn = pose.quaternions?.[i] ?? null;
  if (turn === null) return null;
  const [x, y, z, w] = turn;
  return pose.z_axis === 'up' ? [x, y, z, w] : [w, -z, y, -x];
}

/** Extent of the tracks that a scene shows, with z up, in the unit of the recording. */
export interface SceneBox {
  readonly low: Triple;
  readonly centre: Triple;
  /** Longest side; 1 if nothing moves. */
  readonly size: number;
  /** Height of the ground: 0 if everything is above it and near it, else that of the lowest place. */
  readonly ground: number;
  /** Length of a cell of the ground: about an eighth of the size, as 1, 2 or 5 times a power of ten. */
  readonly step: number;
}

/** Returns the box around all tracks, the height of its ground, and the cell size of the ground's grid. */
export function boxOf(tracks: readonly PoseTrack[]): SceneBox {
  const { low, high } = extremesOf(tracks);
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const ground = low[2] >= -0.05 * extent && low[2] <= 2 * extent ? 0 : low[2];
  const bottom = Math.min(ground, low[2]);
  const size = Math.max(extent, high[2] - bottom) || 1;
  const centre: Triple = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (bottom + high[2]) / 2];
  return { low, centre, size, ground, step: roundStep(size / 8) };
}

function extremesOf(tracks: readonly PoseTrack[]): { readonly low: Triple; readonly high: Triple } {
  const low: [number, number, number] = [0, 0, 0];
  const high: [number, number, number] = [0, 0, 0];
  for (const axis of [0, 1, 2]) {
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { places } of tracks)
      for (let i = axis; i < places.length; i += 3) {
        if (places[i] < from) from = places[i];
        if (places[i] > to) to = places[i];
      }
    if (from <= to) [low[axis], high[axis]] = [from, to];
  }
  return { low, high };
}

function roundStep(minStep: number): number {
  const power = 10 ** Math.floor(Math.log10(minStep));
  return power * ([1, 2, 5].find((step) => step * power >= minStep) ?? 10);
}

/** Returns the greatest speed of any track; 0 without tracks. */
export const fastestOf = (tracks: readonly PoseTrack[]): number =>
  tracks.reduce((most, { speed }) => speed.reduce((a, b) => Math.max(a, b), most), 0);

/** Formats a length with up to three significant digits and its unit, as in `0.2 m`. */
export const formatLength = (value: number, unit: string): string => `${number(value, 3)} ${unit}`;

/** Describes a track in one line (path length, range of each axis, greatest speed), for people who do not see it. */
export function describeTrack({ pose, length, speed, unit }: PoseTrack): string {
  if (length === 0) return `${pose.label} does not move`;
  const range = (['x', 'y', 'z'] as const).map((axis) => {
    const values = pose[axis];
    const [from, to] = values.reduce(
      ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
      [values[0], values[0]],
    );
    return `${axis} ${number(from, 3)} to ${number(to, 3)}`;
  });
  const fastest = speed.reduce((a, b) => Math.max(a, b), 0);
  return `${pose.label}: path of ${formatLength(length, unit)}, ${range.join(', ')}, up to ${number(fastest, 2)} ${unit}/s`;
}
