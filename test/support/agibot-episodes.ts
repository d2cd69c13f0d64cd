import { hdf5File, nested, type WrittenArray } from '@assay/hdf5/testing';
import type { CaseFiles } from './case-files.ts';
import { moving } from './hdf5-recordings.ts';

/** Stamp of the first frame, which no float64 holds. */
export const firstStamp_ns = 1_727_000_000_123_456_789n;

type Arrays = Record<string, WrittenArray>;

const absent: WrittenArray = { values: new Float32Array(0), shape: [0] };

/** Numbers of the frames of an index. */
export const indexOf = (frames: readonly number[]): WrittenArray => ({
  values: BigInt64Array.from(frames, BigInt),
  shape: [frames.length],
});

/** Rows in `shape` of a row: `[2, 3]`. */
export const shaped = (rows: number, ...shape: readonly number[]): WrittenArray => ({
  ...moving(
    rows,
    shape.reduce((product, size) => product * size, 1),
  ),
  shape: [rows, ...shape],
});

/** Both grippers go from one end to the other. */
export function grippers(rows: number, [from, to]: readonly [number, number]): WrittenArray {
  const values = Float32Array.from(
    { length: 2 * rows },
    (_, i) => from + ((to - from) * Math.floor(i / 2)) / (rows - 1),
  );
  return { values, shape: [rows, 2] };
}

/** proprio_stats.h5 of so many frames at 30 Hz; changes go over its arrays, null takes one away. */
export function proprioStats(
  frames: number,
  changes: Readonly<Record<string, WrittenArray | null>> = {},
): Buffer {
  const all = Array.from({ length: frames }, (_, frame) => frame);
  const stamps = BigInt64Array.from(all, (frame) => firstStamp_ns + BigInt(Math.round((frame * 1e9) / 30)));
  const arrays: Arrays = {
    timestamp: { values: stamps, shape: [frames] },
    'state/joint/position': shaped(frames, 14),
    'state/joint/velocity': absent,
    'state/joint/current_value': shaped(frames, 14),
    'state/end/position': shaped(frames, 2, 3),
    'state/end/orientation': shaped(frames, 2, 4),
    'state/effector/position': grippers(frames, [35, 119]),
    'state/effector/force': absent,
    'state/head/position': shaped(frames, 2),
    'state/waist/position': shaped(frames, 2),
    'state/robot/position': shaped(frames, 3),
    'action/joint/position': shaped(frames, 14),
    'action/joint/index': indexOf(all),
    'action/end/position': shaped(frames, 2, 3),
    'action/effector/position': grippers(frames, [1, 0]),
    'action/effector/index': indexOf(all),
    'action/robot/velocity': absent,
  };
  for (const [id, array] of Object.entries(changes)) {
    if (array === null) delete arrays[id];
    else arrays[id] = array;
  }
  return hdf5File(nested(arrays));
}

/** One episode of task_info. */
export function taskRow(episode: number, frames: number): object {
  return {
    ...{ episode_id: episode, task_id: 327, task_name: 'Pickup items in the supermarket' },
    init_scene_text: 'The robot is in front of the shelf with fruit.',
    label_info: {
      action_config: [
        { start_frame: 0, end_frame: 6, action_text: 'Retrieve an apple from the shelf.', skill: 'Pick' },
        { start_frame: 6, end_frame: frames, action_text: 'Place the apple in the cart.', skill: 'Place' },
      ],
    },
  };
}

/** Intrinsics of the head as the set has them. */
const headIntrinsics = {
  intrinsic: { fx: 645.1, fy: 644.9, ppx: 639.5, ppy: 361.2, distortion_model: 'plumb_bob', k1: 0.01 },
};

/** The files of one episode but its videos. */
export function agibotFiles(task: number, episode: number, proprio: Uint8Array): CaseFiles {
  return {
    [`proprio_stats/${task}/${episode}/proprio_stats.h5`]: proprio,
    [`parameters/${task}/${episode}/parameters/camera/head_intrinsic_params.json`]: headIntrinsics,
  };
}
