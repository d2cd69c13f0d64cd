import { AssayError } from '#core';
import type { SourceTree } from '#io/sources';
import { openHdf5 } from '../../shared/hdf5-file.ts';
import type { Preset } from './preset.ts';

const episodeFile = /^([^/]+\/)?data\/trajectory\.hdf5$/;
const maxProbedFiles = 3;

const cameras = ['top', 'front', 'left', 'right', 'left_wrist', 'right_wrist'].map(
  (name) => `camera_${name}`,
);
const arms = (array: string) => `[${array}, ${array}_left, ${array}_right]`;

/** Columns of the joint positions of the follower and the leader. */
interface JointColumns {
  readonly puppet: string;
  readonly master: string;
}

/**
 * Settings of the published layout. Joint positions end in the gripper, so they have no common unit. Arms of robots with
 * two of them have arrays of their own, which are joined.
 */
const settings = ({ puppet, master }: JointColumns) => `
streams:
  - { id: joint_position, role: state, columns: ${puppet} }
  - { id: action, role: action, columns: ${master} }
  - { id: end_effector, role: state, columns: ${arms('puppet/end_effector')}, optional: true }
  - { id: joint_velocity, role: other, columns: ${arms('puppet/joint_velocity')}, optional: true }
  - { id: joint_effort, role: effort, columns: ${arms('puppet/joint_effort')}, optional: true }
videos:
${cameras.map((name) => `  - { id: ${name}, column: observations/rgb_images/${name}, optional: true }`).join('\n')}
${cameras.map((name) => `  - { id: ${name}_depth, role: depth, column: observations/depth_images/${name}, optional: true }`).join('\n')}
`;

/**
 * Episodes of RoboMIND 1.x: `EPISODE/data/trajectory.hdf5` with the follower's (`puppet`) and the leader's (`master`) joint
 * positions and encoded pictures. Layout from `all_robot_h5_info.md` and `README.md` of
 * github.com/x-humanoid-robomind/x-humanoid-robomind.github.io and from `robomind_check/robomind_data_check.py` of
 * github.com/Open-X-Humanoid/RoboMIND-dataset-utils. Its simulated episodes have arrays of different lengths and are not
 * recognised. The layout states neither times nor a rate.
 */
export const robomindPreset: Preset = {
  id: 'robomind',
  title: 'RoboMIND',
  async recognise(tree) {
    const files = tree.files.filter(({ path }) => episodeFile.test(path)).slice(0, maxProbedFiles);
    for (const { path } of files) {
      const joints = await jointColumns(tree, path);
      if (joints === null) continue;
      const episodes = path.startsWith('data/')
        ? 'file: data/trajectory.hdf5'
        : 'files: "{episode}/data/trajectory.hdf5"';
      return {
        evidence: `${path} has the puppet, master and observations of RoboMIND`,
        mapping: `assay_map: 1\nepisodes: { ${episodes} }${settings(joints)}`,
        accountsFor: (file) => episodeFile.test(file),
      };
    }
    return null;
  },
};

/** Returns the columns of the joint positions in an episode, of both arms if it has one of two; `null` for other files. */
async function jointColumns(tree: SourceTree, path: string): Promise<JointColumns | null> {
  try {
    const file = await openHdf5(tree, path);
    try {
      if ((await file.root.group('observations/rgb_images')) === null) return null;
      const columnsOf = async (group: string) => {
        const names = [...((await (await file.root.group(group))?.links())?.keys() ?? [])];
        const array = `${group}/joint_position`;
        if (names.some((name) => /^joint_position_(left|right)$/.test(name)))
          return `[${array}_left, ${array}_right]`;
        return names.includes('joint_position') ? `[${array}]` : null;
      };
      const [puppet, master] = [await columnsOf('puppet'), await columnsOf('master')];
      return puppet === null || master === null ? null : { puppet, master };
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (thrown instanceof AssayError) return null;
    throw thrown;
  }
}
