import { hdf5File, nested, type WrittenArray } from '@assay/hdf5/testing';
import { type CaseFiles, placed } from './case-files.ts';
import { moving } from './hdf5-recordings.ts';

/** 2023-07-07, when the first stamp of the generated episodes was taken. */
export const firstStamp_ms = 1_688_722_943_000;
export const serials = { wrist: '17225336', ext1: '22008760', ext2: '24400334' } as const;
export const uuid = 'AUTOLab+5d05c5aa+2023-07-07-09h-42m-23s';
export const ownFolder = 'AUTOLab/success/2023-07-07/Fri_Jul__7_09:42:23_2023';

export interface DroidChoices {
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  /** Steps at which the operator held the robot. */
  readonly held?: readonly number[];
  /** The gripper's first and last position. */
  readonly gripper?: readonly [number, number];
  /** Changes what the trajectory holds. */
  readonly change?: (trajectory: Trajectory) => void;
}

interface Trajectory {
  readonly attributes: Record<string, string | number | boolean>;
  /** Arrays by path: `action/joint_position`. */
  readonly arrays: Record<string, WrittenArray>;
}

/** An episode's files but its videos, from its folder. */
export function droidEpisode(steps: number, choices: DroidChoices = {}): CaseFiles {
  const trajectory: Trajectory = { attributes: {}, arrays: arraysOf(steps, choices) };
  choices.change?.(trajectory);
  const metadata = { ...metadataOf(steps), ...choices.metadata };
  return {
    ...(choices.metadata === null ? {} : { [`metadata_${uuid}.json`]: metadata }),
    'trajectory.h5': hdf5File({ attributes: trajectory.attributes, ...nested(trajectory.arrays) }),
  };
}

/** The same with stand-ins for the videos, below a folder. */
export function filmedEpisode(folder: string, steps: number, choices: DroidChoices = {}): CaseFiles {
  const videos = Object.values(serials).map((serial) => [`recordings/MP4/${serial}.mp4`, 'not decoded here']);
  return placed(folder, { ...droidEpisode(steps, choices), ...Object.fromEntries(videos) });
}

function metadataOf(steps: number): Record<string, unknown> {
  return {
    ...{ uuid, lab: 'AUTOLab', success: true, current_task: 'Put the cup on the shelf' },
    ...{ hdf5_path: 'success/2023-07-07/Fri_Jul__7_09:42:23_2023/trajectory.h5', trajectory_length: steps },
    ...{ robot_serial: '295341-1325480', droid_version: '1.1' },
    ...Object.fromEntries(
      Object.entries(serials).flatMap(([mount, serial], i) => [
        [`${mount}_cam_serial`, serial],
        [`${mount}_cam_extrinsics`, [0.1 * i, 0.5, 0.3, -1.9, 0, -1.2]],
      ]),
    ),
  };
}

function arraysOf(
  steps: number,
  { held = [], gripper = [0, 1] }: DroidChoices,
): Record<string, WrittenArray> {
  const column = (value: (step: number) => number): WrittenArray => ({
    values: Float64Array.from({ length: steps }, (_, step) => value(step)),
    shape: [steps],
  });
  const flag = (is: (step: number) => boolean): WrittenArray => ({
    values: Uint8Array.from({ length: steps }, (_, step) => (is(step) ? 1 : 0)),
    shape: [steps],
  });
  const at_ms = (step: number) => firstStamp_ms + Math.round((step * 1000) / 15);
  const [from, to] = gripper;
  const closing = column((step) => from + ((to - from) * step) / (steps - 1));
  const stamps = 'observation/timestamp';
  return {
    'observation/robot_state/joint_positions': moving(steps, 7),
    'observation/robot_state/joint_velocities': moving(steps, 7, 0.1),
    'observation/robot_state/cartesian_position': moving(steps, 6),
    'observation/robot_state/motor_torques_measured': moving(steps, 7, 10),
    'observation/robot_state/gripper_position': closing,
    [`${stamps}/robot_state/read_start`]: column(at_ms),
    [`${stamps}/robot_state/read_end`]: column((step) => at_ms(step) + 4),
    [`${stamps}/robot_state/robot_timestamp_seconds`]: column((step) => Math.floor(at_ms(step) / 1000) - 60),
    [`${stamps}/robot_state/robot_timestamp_nanos`]: column((step) => (at_ms(step) % 1000) * 1e6),
    [`${stamps}/control/step_start`]: column((step) => at_ms(step) + 5),
    [`${stamps}/control/control_start`]: column((step) => at_ms(step) + 40),
    [`${stamps}/skip_action`]: flag((step) => held.includes(step)),
    'observation/controller_info/movement_enabled': flag((step) => !held.includes(step)),
    ...Object.fromEntries(
      Object.values(serials).flatMap((serial, i) => [
        [`observation/camera_type/${serial}`, column(() => i)],
        [`${stamps}/cameras/${serial}_frame_received`, column((step) => at_ms(step) + 10 + i)],
        [`${stamps}/cameras/${serial}_estimated_capture`, column((step) => at_ms(step) - 31 + i)],
      ]),
    ),
    'action/joint_position': moving(steps, 7),
    'action/joint_velocity': moving(steps, 7, 0.5),
    'action/cartesian_position': moving(steps, 6),
    'action/cartesian_velocity': moving(steps, 6, 0.5),
    'action/gripper_position': closing,
    'action/gripper_velocity': moving(steps, 1, 0.5),
    'action/robot_state/joint_positions': moving(steps, 7),
  };
}
