import type { Finding } from '#core/episode';
import type { SegmentArrays } from './arrays.ts';
import { gpsSeconds, unixOfGps } from './gps-time.ts';

/** An array of global_pose, a row a frame. */
export interface PoseArray {
  readonly id: string;
  readonly values: Float64Array;
  readonly dims: number;
}

/** What global_pose says of the frames of the video. */
export interface FrameFacts {
  /** Seconds since the device started. */
  readonly boot_s: Float64Array;
  /** GPS seconds since the first frame; null where there are none. */
  readonly gps_s: Float64Array | null;
  /** First frame, nanoseconds since the UNIX epoch. */
  readonly unix_ns: bigint | null;
  readonly poses: readonly PoseArray[];
}

const poseNames = ['frame_positions', 'frame_orientations', 'frame_velocities'] as const;
const dimensions = { frame_positions: 3, frame_orientations: 4, frame_velocities: 3 } as const;

/** Reads frame times and poses; null where a segment has no frame times. */
export async function readFrames(arrays: SegmentArrays): Promise<FrameFacts | null> {
  // The README writes global_pos, the data has global_pose.
  const folder = arrays.place('global_pos/frame_times') === null ? 'global_pose' : 'global_pos';
  const times = await arrays.numbers(`${folder}/frame_times`);
  if (times === null) return null;
  const boot_s = times.values;
  const gps = await arrays.numbers(`${folder}/frame_gps_times`);
  const isWhole = gps !== null && gps.values.length === 2 * boot_s.length;
  if (gps !== null && !isWhole)
    arrays.report(rowsFinding(`${folder}/frame_gps_times`, gps.values.length / 2, boot_s.length));
  const poses: PoseArray[] = [];
  for (const id of poseNames) {
    const array = await arrays.numbers(`${folder}/${id}`);
    if (array === null) continue;
    const dims = dimensions[id];
    if (array.values.length === dims * boot_s.length) poses.push({ id, dims, values: array.values });
    else arrays.report(rowsFinding(`${folder}/${id}`, array.values.length / dims, boot_s.length));
  }
  return {
    boot_s,
    gps_s: isWhole ? gpsSeconds(gps.values) : null,
    unix_ns: isWhole && boot_s.length > 0 ? unixOfGps(gps.values[0], gps.values[1]) : null,
    poses,
  };
}

function rowsFinding(name: string, rows: number, frames: number): Finding {
  return {
    code: 'signal_lengths_differ',
    severity: 'error',
    path: null,
    message: `${name} has ${rows} rows for ${frames} frames, so it is left out`,
    advice: 'copy the segment again',
    evidence: { rows, frames },
  };
}
