/** Writes the inputs of the cases beside it: `node test/conformance/bridge-raw/generate.ts`. */
import { join } from 'node:path';
import { type CaseFiles, placed, tinyPng, writeCase } from '../../support/case-files.ts';

// The beginning of a pickle that nobody is to load.
const pickle = Buffer.from([0x80, 0x04, 0x95, 0x2e]);

function trajectory(steps: readonly number[], lang: string | null): CaseFiles {
  const pictures = ['images0', 'images1', 'depth_images0'].flatMap((camera) =>
    steps.map((step) => [`${camera}/im_${step}.${camera.startsWith('depth') ? 'png' : 'jpg'}`, tinyPng]),
  );
  return {
    ...Object.fromEntries(pictures),
    'obs_dict.pkl': pickle,
    'policy_out.pkl': pickle,
    'agent_data.pkl': pickle,
    ...(lang === null ? {} : { 'lang.txt': lang }),
  };
}

const counted = (count: number) => Array.from({ length: count }, (_, step) => step);
const late = 'rss/toykitchen2/set_table/00/2021-07-22_18-00-00';
const later = 'rss/toykitchen2/set_table/01/2021-07-23_09-00-00';
const { 'policy_out.pkl': _, ...halved } = trajectory(counted(4), null);

await writeCase(join(import.meta.dirname, 'two-days', 'input'), {
  [`${late}/collection_metadata.json`]: { camera_type: 'a' },
  ...placed(`${late}/raw/traj_group0/traj2`, trajectory(counted(11), 'put the knife on the cloth\n')),
  ...placed(`${late}/raw/traj_group0/traj10`, trajectory([0, 1, 2, 5, 6], '')),
  ...placed(`${later}/raw/traj_group0/traj0`, trajectory(counted(4), 'move the pot\nconfidence: 0.9\n')),
  ...placed(`${later}/raw/traj_group1/traj0`, halved),
  [`${later}/raw/traj_group1/traj1/obs_dict.pkl`]: pickle,
});
