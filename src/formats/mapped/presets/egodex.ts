import { AssayError } from '#core';
import type { SourceTree } from '#io/sources';
import { openHdf5 } from '../../shared/hdf5-file.ts';
import type { Preset } from './preset.ts';

const episodeFile = /^(\d+)\.hdf5$/;
const maxProbedFiles = 3;

/**
 * Settings of the published layout: 30 frames per second, poses as 4 × 4 matrices in the frame of the headset's origin,
 * in metres. Hands and arms are tracked, not commanded, so there is no action.
 */
const settings = `
rate_hz: 30
streams:
  - { id: left_hand, role: state, columns: ["transforms/left*"] }
  - { id: right_hand, role: state, columns: ["transforms/right*"] }
  - { id: camera_pose, role: odometry, columns: [transforms/camera] }
  - { id: confidences, role: other, columns: ["confidences/*"], optional: true }
videos: [{ id: camera, files: "{episode}.mp4", frames: rows }]
`;
const taskSetting = 'task: { path: "@llm_description" }\n';

/**
 * Episodes of EgoDex: `0.hdf5` with the poses of the hands and of the camera beside the video `0.mp4`. Layout from the
 * paper (arXiv 2505.11709) and the README of github.com/apple/ml-egodex; names of the arrays checked against readers of
 * the dataset in public repositories.
 */
export const egodexPreset: Preset = {
  id: 'egodex',
  title: 'EgoDex',
  async recognise(tree) {
    const files = tree.files.filter(({ path }) => episodeFile.test(path)).slice(0, maxProbedFiles);
    for (const { path } of files) {
      if (!tree.has(path.replace('.hdf5', '.mp4'))) continue;
      const task = await taskOf(tree, path);
      if (task === null) continue;
      return {
        evidence: `${path} has the transforms and the camera of EgoDex, beside its video`,
        mapping: `assay_map: 1\nepisodes: { files: "{episode}.hdf5" }${settings}${task}`,
        accountsFor: (file) => /^\d+\.(hdf5|mp4)$/.test(file),
      };
    }
    return null;
  },
};

/**
 * Returns the setting of the task; `null` for other files. Tasks that are done and undone (`reversible`) have two
 * descriptions, of which an attribute of each episode names one, so they have no setting.
 */
async function taskOf(tree: SourceTree, path: string): Promise<string | null> {
  try {
    const file = await openHdf5(tree, path);
    try {
      for (const name of ['transforms/camera', 'transforms/leftHand', 'transforms/rightHand']) {
        const pose = await file.root.dataset(name);
        if (pose === null || pose.shape.length !== 3 || pose.rowElements !== 16) return null;
      }
      if ((await file.root.dataset('camera/intrinsic')) === null) return null;
      return (await file.root.attributes.text('llm_type')) === 'reversible' ? '' : taskSetting;
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (thrown instanceof AssayError) return null;
    throw thrown;
  }
}
