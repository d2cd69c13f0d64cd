import { hdf5File } from '@assay/hdf5/testing';
import { jpegLike, moving } from './hdf5-recordings.ts';

const pictures = (rows: number) => Array.from({ length: rows }, (_, row) => jpegLike(row));

/** Returns an episode of RoboMIND with one arm of seven joints and a gripper, and one camera. */
export function robomindEpisode(name: string, rows: number): Record<string, Uint8Array> {
  const file = hdf5File({
    groups: {
      master: { arrays: { joint_position: moving(rows, 8) } },
      puppet: { arrays: { joint_position: moving(rows, 8), end_effector: moving(rows, 6) } },
      observations: {
        groups: {
          rgb_images: { sequences: { camera_top: pictures(rows) } },
          depth_images: { sequences: { camera_top: pictures(rows) } },
        },
      },
    },
  });
  return { [`${name}/data/trajectory.hdf5`]: file };
}

/** Returns an episode of RoboMIND with two arms; `false` leaves out the right arm of the follower. */
export function twoArmEpisode(name: string, rows: number, hasRight: boolean): Record<string, Uint8Array> {
  const [left, right] = [moving(rows, 7), moving(rows, 7)];
  const follower = hasRight
    ? { joint_position_left: left, joint_position_right: right }
    : { joint_position_left: left };
  const file = hdf5File({
    groups: {
      master: { arrays: { joint_position_left: left, joint_position_right: right } },
      puppet: { arrays: follower },
      observations: { groups: { rgb_images: { sequences: { camera_top: pictures(rows) } } } },
    },
  });
  return { [`${name}/data/trajectory.hdf5`]: file };
}

/** Returns an episode of EgoDex of few joints; the video is a stand-in for one that no test decodes. */
export function egodexEpisode(
  name: string,
  rows: number,
  attributes: Readonly<Record<string, string>> = { llm_description: 'fold the towel' },
): Record<string, Uint8Array> {
  const pose = { ...moving(rows, 16), shape: [rows, 4, 4] };
  const joints = ['leftHand', 'leftIndexFingerTip', 'rightHand', 'rightThumbTip', 'camera'];
  const file = hdf5File({
    attributes,
    groups: {
      camera: { arrays: { intrinsic: { ...moving(3, 3), shape: [3, 3] } } },
      transforms: { arrays: Object.fromEntries(joints.map((joint) => [joint, pose])) },
      confidences: { arrays: { leftHand: { ...moving(rows, 1), shape: [rows] } } },
    },
  });
  return { [`${name}.hdf5`]: file, [`${name}.mp4`]: Buffer.from('\0\0\0\x18ftypisom') };
}
