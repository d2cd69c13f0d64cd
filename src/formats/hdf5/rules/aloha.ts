import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import {
  type Contract,
  type ContractRule,
  createRuleFinding,
  refusesRows,
  refusesSet,
  servesWrongRows,
  trainsWorse,
  trainsWrong,
} from '../../shared/rule.ts';

/** The ACT training program; it reads only unencoded images. */
const actReader = 'ACT';
/** Its successor for Mobile ALOHA. It also reads encoded images, and requires less of names and lengths. */
const actPlusPlusReader = 'act-plus-plus';

export type AlohaReader = typeof actReader | typeof actPlusPlusReader;

/** Rules that concern all files of a dataset together. */
const alohaSetRules = [
  {
    id: 'aloha_numbering',
    holds: 'Files are episode_0.hdf5, episode_1.hdf5 and so on without a gap, in one folder.',
    on: 'dataset',
    consequences: { [actReader]: refusesSet },
    advice: 'Number the files from 0 without a gap.',
  },
  {
    id: 'aloha_file_not_taken',
    holds:
      'The reader takes every file: ACT episode_<number>.hdf5, act-plus-plus *.hdf5 without features in its name.',
    on: 'dataset',
    consequences: { [actReader]: trainsWorse, [actPlusPlusReader]: trainsWorse },
    advice: 'Rename the file to episode_<number>.hdf5; under its present name it is never trained on.',
  },
  {
    id: 'aloha_no_file_taken',
    holds: 'At least one file is named *.hdf5, without features in its name.',
    on: 'dataset',
    consequences: { [actReader]: refusesSet, [actPlusPlusReader]: refusesSet },
    advice: 'Rename the files to episode_<number>.hdf5.',
  },
  {
    id: 'aloha_lengths_differ',
    holds: '/action and qpos have as many rows in every episode.',
    on: 'dataset',
    consequences: { [actReader]: refusesSet },
    advice: 'Record, pad or cut all episodes to one length, or train with act-plus-plus, which pads.',
  },
  {
    id: 'aloha_camera_sizes_mixed',
    holds: 'The cameras of an episode give pictures of one size.',
    on: 'dataset',
    consequences: { [actReader]: refusesRows, [actPlusPlusReader]: refusesRows },
    advice: 'Scale all pictures to one size, or name only cameras of one size in camera_names.',
  },
  {
    id: 'aloha_compress_attribute',
    holds:
      'Pictures are encoded if and only if the attribute compress is true; ACT cannot read encoded ones.',
    on: 'dataset',
    consequences: { [actReader]: refusesRows, [actPlusPlusReader]: refusesRows },
    advice: 'Set compress as the pictures are.',
  },
] as const satisfies readonly ContractRule[];

/** Version name of datasets with encoded images, which act-plus-plus reads. */
export const alohaEncoded = 'aloha, encoded pictures';

const episodeRules = [
  {
    id: 'aloha_sim_missing',
    holds: 'The file has the attribute sim.',
    on: 'episode',
    consequences: { [actReader]: refusesRows },
    advice:
      'Set sim to true for a simulator and to false for a robot; ACT shifts actions by a step accordingly.',
  },
  {
    id: 'aloha_qvel_missing',
    holds: 'The file has /observations/qvel.',
    on: 'episode',
    consequences: { [actReader]: refusesSet, [actPlusPlusReader]: refusesSet },
    advice: 'Write qvel; zeros will do, since the policy does not see it.',
  },
  {
    id: 'aloha_array_short',
    holds: 'qpos, qvel and pictures have no fewer rows than /action.',
    on: 'episode',
    consequences: { [actReader]: refusesRows, [actPlusPlusReader]: refusesRows },
    advice: 'Cut every array to the rows they share, or leave the episode out.',
  },
  {
    id: 'aloha_array_long',
    holds: 'qvel and pictures have as many rows as /action; further rows are never served.',
    on: 'episode',
    consequences: { [actReader]: trainsWrong, [actPlusPlusReader]: trainsWrong },
    advice: 'Make sure that row i of each array belongs to action i, and cut the rest.',
  },
  {
    id: 'aloha_value_not_finite',
    holds: 'Every number of /action and qpos is finite; a single other one makes all rows of the set NaN.',
    on: 'episode',
    consequences: { [actReader]: servesWrongRows, [actPlusPlusReader]: servesWrongRows },
    advice: 'Leave the episode out, or repair the numbers.',
  },
  {
    id: 'aloha_width_differs',
    holds: 'A row of /action and of qpos is as wide as in the other episodes.',
    on: 'episode',
    consequences: { [actReader]: refusesSet, [actPlusPlusReader]: refusesSet },
    advice: 'Keep recordings of another robot in a separate folder.',
  },
  {
    id: 'aloha_camera_missing',
    holds: 'Every episode has the cameras of the others below /observations/images.',
    on: 'episode',
    consequences: { [actReader]: refusesRows, [actPlusPlusReader]: refusesRows },
    advice: 'Leave the episode out, or the camera out of camera_names.',
  },
  {
    id: 'aloha_camera_size_differs',
    holds: 'Pictures of a camera are as large as in the other episodes.',
    on: 'episode',
    consequences: { [actReader]: refusesRows, [actPlusPlusReader]: refusesRows },
    advice: 'Scale its pictures to the size of the others.',
  },
] as const satisfies readonly ContractRule[];

const rules = [...alohaSetRules, ...episodeRules];

/** Contract of ALOHA datasets, from load_data, get_norm_stats and EpisodicDataset in utils.py of both programs. */
export const alohaContract: Contract = {
  format: 'hdf5',
  versions: ['aloha', alohaEncoded],
  title: 'ALOHA and ACT HDF5',
  readers: [
    { id: actReader, release: 'commit 742c753 (2024-01-28), with all cameras that the files hold' },
    { id: actPlusPlusReader, release: 'commit 26bab07 (2024-01-10), for sets with encoded pictures' },
  ],
  rules,
  readerOf: (version) => (version === alohaEncoded ? actPlusPlusReader : actReader),
};

/** Returns the finding for a violated rule, or none if the rule does not apply to this reader. */
export function alohaViolation(
  reader: AlohaReader,
  id: (typeof rules)[number]['id'],
  path: string | null,
  message: string,
  evidence?: JsonObject,
): Finding[] {
  const rule: ContractRule = rules.find((candidate) => candidate.id === id)!;
  return rule.consequences[reader] === undefined
    ? []
    : [createRuleFinding(rule, reader, path, message, evidence)];
}
