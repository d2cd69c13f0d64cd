import { AssayError } from '#core';
import type { SourceTree } from '#io/sources';
import { isPickle, PickledArray, parsePickle } from '../../shared/arrays/parse-pickle.ts';
import type { Preset } from './preset.ts';

/** Names that `datetime.isoformat()` gives, directly in the folder or in one below it. */
const stepFile = /^([^/]+\/)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\.pkl$/;
/** Pattern of such names, which leaves out other pickles such as `calibration.pkl`. */
const stepNames = '*-*-*T*:*:*.pkl';
const maxStepBytes = 64 * 1024 * 1024;
const maxProbedFiles = 3;
/** Estimated bytes that the containers of a step may take. */
const maxStepMemory = 32 * 1024 * 1024;

/**
 * Settings of the recorder's layout. Joints of most robots end in the gripper, from 0 to 1, so they have no common unit.
 * The end effector's pose is not read as a state, because some drivers write zeros.
 */
const settings = `
clocks: [{ column: "@name", unit: iso8601 }]
streams:
  - { id: joint_positions, role: state, columns: [joint_positions] }
  - { id: control, role: action, columns: [control] }
  - { id: joint_velocities, role: other, columns: [joint_velocities], optional: true }
  - { id: ee_pos_quat, role: other, columns: [ee_pos_quat], optional: true }
  - { id: gripper_position, role: state, columns: [gripper_position], optional: true }
`;

/**
 * Episodes of GELLO: one pickle per step, named by the time at which it was saved, local and without a zone. Layout from
 * `gello/data_utils/format_obs.py` (`save_frame`) and `gello/env.py` of github.com/wuphilipp/gello_software.
 */
export const gelloPreset: Preset = {
  id: 'gello',
  title: 'GELLO',
  async recognise(tree) {
    const steps = tree.files.filter(({ path }) => stepFile.test(path)).slice(0, maxProbedFiles);
    for (const { path } of steps) {
      const cameras = await readCameras(tree, path);
      if (cameras === null) continue;
      const folders = path.includes('/') ? 'folders: "{episode}"' : 'folder: .';
      const videos = cameras.map((name) => {
        const role = name.endsWith('_depth') ? 'depth' : 'camera';
        return `  - { id: ${JSON.stringify(name)}, role: ${role}, column: ${JSON.stringify(name)}, optional: true }\n`;
      });
      return {
        evidence: `${path} is a pickle with the observations and the control of GELLO`,
        mapping: `assay_map: 1\nepisodes: { ${folders}, steps: "${stepNames}" }${settings}${videos.length > 0 ? `videos:\n${videos.join('')}` : ''}`,
        accountsFor: (file) => stepFile.test(file),
      };
    }
    return null;
  },
};

/** Returns the names of the cameras in a step of GELLO; `null` for other files. */
async function readCameras(tree: SourceTree, path: string): Promise<string[] | null> {
  try {
    if (!isPickle(await tree.head(path, 2))) return null;
    const step = parsePickle(await tree.read(path, maxStepBytes), path, maxStepMemory);
    if (!(step instanceof Map)) return null;
    const isArray = (name: string) => step.get(name) instanceof PickledArray;
    if (!isArray('joint_positions') || !isArray('control')) return null;
    return [...step.keys()].filter(
      (name) => typeof name === 'string' && /_(rgb|depth)$/.test(name) && isArray(name),
    ) as string[];
  } catch (thrown) {
    if (thrown instanceof AssayError) return null;
    throw thrown;
  }
}
