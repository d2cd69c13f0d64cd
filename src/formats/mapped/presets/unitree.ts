import type { SourceTree } from '#io/sources';
import type { Preset } from './preset.ts';

const headBytes = 64 * 1024;
/** Maximum number of candidate files that are probed before the folder is rejected. */
const maxProbedFiles = 4;
const episodeFile = /^episode_\d+\/data\.json$/;

/**
 * Settings of the recorder's layout. Arms are joint angles in radians as the motors report them; hands and grippers are
 * radians or fractions, depending on the model; the body's state are joints, but its action is a velocity. Success is
 * not read: the recorder writes `true` into every episode.
 */
const settings = `
rows: data
rate_hz: { path: info.image.fps }
streams:
  - { id: states/arms, role: state, columns: [states.left_arm.qpos, states.right_arm.qpos], unit: rad, optional: true }
  - { id: states/hands, role: state, columns: [states.left_ee.qpos, states.right_ee.qpos], optional: true }
  - { id: states/body, role: state, columns: [states.body.qpos], unit: rad, optional: true }
  - { id: actions/arms, role: action, columns: [actions.left_arm.qpos, actions.right_arm.qpos], unit: rad, optional: true }
  - { id: actions/hands, role: action, columns: [actions.left_ee.qpos, actions.right_ee.qpos], optional: true }
  - { id: actions/body, role: action, columns: [actions.body.qpos], optional: true }
  - { id: states/velocities, role: other, columns: ["states.*.qvel"], optional: true }
  - { id: states/torques, role: effort, columns: ["states.*.torque"], optional: true }
videos:
${[0, 1, 2, 3, 4, 5].map((camera) => `  - { id: color_${camera}, column: colors.color_${camera}, optional: true }`).join('\n')}
${[0, 1, 2, 3].map((camera) => `  - { id: depth_${camera}, role: depth, column: depths.depth_${camera}, optional: true }`).join('\n')}
task: { path: text.goal }
`;

/**
 * Episodes of Unitree's `xr_teleoperate`: `episode_0000/data.json` with one record per frame, which names its pictures in
 * `colors/`. Layout from `teleop/utils/episode_writer.py` and `teleop/teleop_hand_and_arm.py` of
 * github.com/unitreerobotics/xr_teleoperate, commits 00887475 and 0dd45d0c.
 */
export const unitreePreset: Preset = {
  id: 'unitree-xr-teleoperate',
  title: 'Unitree xr_teleoperate',
  async recognise(tree) {
    const isLone = tree.has('data.json');
    const path = isLone ? 'data.json' : await findEpisode(tree);
    if (path === null || !(await hasRecords(tree, path))) return null;
    const episodes = isLone ? 'file: data.json' : 'files: "episode_{episode}/data.json"';
    return {
      evidence: `${path} has the info, text and frame records of Unitree xr_teleoperate`,
      mapping: `assay_map: 1\nepisodes: { ${episodes} }${settings}`,
      accountsFor: (file) => /^(episode_\d+\/)?(data\.json$|colors\/|depths\/)/.test(file),
    };
  },
};

async function findEpisode(tree: SourceTree): Promise<string | null> {
  let probed = 0;
  for (const { path } of tree.files) {
    if (!episodeFile.test(path)) continue;
    if (await hasRecords(tree, path)) return path;
    if (++probed === maxProbedFiles) return null;
  }
  return null;
}

/** Checks the keys that the recorder writes before and in the first record. */
async function hasRecords(tree: SourceTree, path: string): Promise<boolean> {
  const head = await tree.head(path, headBytes).catch(() => new Uint8Array());
  const text = new TextDecoder().decode(head);
  const keys = ['info', 'text', 'data', 'idx', 'colors', 'states', 'actions'];
  return /^\uFEFF?\s*\{/.test(text) && keys.every((key) => new RegExp(`"${key}"\\s*:`).test(text));
}
