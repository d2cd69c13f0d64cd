import { tinyPng } from './case-files.ts';

const joints = (row: number, count: number, lead = 0) =>
  Array.from({ length: count }, (_, joint) => Math.sin((row + lead) / 15 + joint));

/** Both arms and one-value grippers, as `teleop_hand_and_arm.py` gives them to the recorder. */
function limbs(row: number, lead: number) {
  const limb = (qpos: readonly number[]) => ({ qpos, qvel: [], torque: [] });
  return {
    ...{ left_arm: limb(joints(row, 7, lead)), right_arm: limb(joints(row, 7, lead + 5)) },
    ...{ left_ee: limb(joints(row, 1, lead)), right_ee: limb(joints(row, 1, lead)) },
    body: { qpos: [] },
  };
}

/** Files of one episode as `episode_writer.py` of xr_teleoperate writes them, with PNG in place of JPEG. */
export function unitreeEpisode(
  folder: string,
  rows: number,
  cameras: readonly string[],
): Record<string, string | Uint8Array> {
  const files: Record<string, string | Uint8Array> = {};
  const data = Array.from({ length: rows }, (_, idx) => {
    const colors = Object.fromEntries(
      cameras.map((camera) => [camera, `colors/${String(idx).padStart(6, '0')}_${camera}.jpg`]),
    );
    for (const path of Object.values(colors)) files[`${folder}/${path}`] = tinyPng;
    return {
      ...{ idx, colors, depths: {}, states: limbs(idx, 0), actions: limbs(idx, 2) },
      ...{ tactiles: null, torques: null, audios: null, sim_state: null },
    };
  });
  const image = { width: 640, height: 480, fps: 30 };
  const document = {
    info: { version: '1.0.0', date: '2026-01-01', author: 'unitree', image, depth: image, joint_names: {} },
    text: { goal: 'pick up the cup', desc: 'task description', steps: 'step1: do this' },
    data,
    rewards: { success: true },
  };
  files[`${folder}/data.json`] = JSON.stringify(document, null, 4);
  return files;
}
