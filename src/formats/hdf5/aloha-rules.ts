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
} from '../shared/rule.ts';

/** The ACT training program; it reads only unencoded images. */
const actReader = 'act';
/** Its successor for Mobile ALOHA. It also reads encoded images, and requires less of names and lengths. */
const actPlusPlusReader = 'act-plus-plus';

/** Id of a training program that reads ALOHA files. */
export type AlohaReader = typeof actReader | typeof actPlusPlusReader;

/** Rules that concern all files of a dataset together. */
const alohaSetRules = [
  {
    id: 'aloha_numbering',
    holds: 'Files are named episode_0.hdf5, episode_1.hdf5 and so on without gaps, in one folder.',
    on: 'dataset',
    consequences: { [actReader]: refusesSet },
    advice: 'Number the files from 0 without gaps.',
  },
  {
    id: 'aloha_file_not_taken',
    holds:
      'The loader reads every file: ACT reads episode_<number>.hdf5, act-plus-plus reads *.hdf5 whose name does not contain features.',
    on: 'dataset',
    consequences: { [actReader]: trainsWorse, [actPlusPlusReader]: trainsWorse },
    advice: 'Rename the file to episode_<number>.hdf5; under its current name it is never used for training.',
  },
  {
    id: 'aloha_no_file_taken',
    holds: 'At least one file is named *.hdf5 and its name does not contain features.',
    on: 'dataset',
    consequences: { [actReader]: refusesSet, [actPlusPlusReader]: refusesSet },
    advice: 'Rename the files to episode_<number>.hdf5.',
  },
  {
    id: 'aloha_lengths_differ',
    holds: '/action and qpos have the same number of rows in every episode.',
    on: 'dataset',
    consequences: { [actReader]: refusesSet },
    advice: 'Record, pad or trim all episodes to one length, or train with act-plus-plus, which pads.',
  },
  {
    id: 'aloha_camera_sizes_mixed',
    holds: 'All cameras of an episode have the same image size.',
    on: 'dataset',
    consequences: { [actReader]: refusesRows, [actPlusPlusReader]: refusesRows },
    advice: 'Resize all images to one size, or list only cameras of one size in camera_names.',
  },
  {
    id: 'aloha_compress_attribute',
    holds:
      'Images are encoded if and only if the attribute compress is true; ACT cannot read encoded images.',
    on: 'dataset',
    consequences: { [actReader]: refusesRows, [actPlusPlusReader]: refusesRows },
    advice: 'Set compress to match the images.',
  },
] as const satisfies readonly ContractRule[];

/** Version name of datasets with encoded images, which act-plus-plus reads. */
export const alohaEncoded = 'aloha, encoded images';

const episodeRules = [
  {
    id: 'aloha_sim_missing',
    holds: 'The file has the attribute sim.',
    on: 'episode',
    consequences: { [actReader]: refusesRows },
    advice:
      'Set sim to true for a simulator and to false for a robot; ACT shifts actions by one step accordingly.',
  },
  {
    id: 'aloha_qvel_missing',
    holds: 'The file has /observations/qvel.',
    on: 'episode',
    consequences: { [actReader]: refusesSet, [actPlusPlusReader]: refusesSet },
    advice: 'Write qvel; zeros are fine, because the policy does not use it.',
  },
  {
    id: 'aloha_array_short',
    holds: 'qpos, qvel and images have at least as many rows as /action.',
    on: 'episode',
    consequences: { [actReader]: refusesRows, [actPlusPlusReader]: refusesRows },
    advice: 'Trim all arrays to the rows they share, or exclude the episode.',
  },
  {
    id: 'aloha_array_long',
    holds: 'qvel and images have as many rows as /action; additional rows are never used.',
    on: 'episode',
    consequences: { [actReader]: trainsWrong, [actPlusPlusReader]: trainsWrong },
    advice: 'Make sure that row i of each array belongs to action i, and remove the extra rows.',
  },
  {
    id: 'aloha_value_not_finite',
    holds:
      'All values of /action and qpos are finite; a single NaN or infinity turns the normalised data of the whole dataset into NaN.',
    on: 'episode',
    consequences: { [actReader]: servesWrongRows, [actPlusPlusReader]: servesWrongRows },
    advice: 'Exclude the episode, or repair the values.',
  },
  {
    id: 'aloha_width_differs',
    holds: 'Rows of /action and qpos are as wide as in the other episodes.',
    on: 'episode',
    consequences: { [actReader]: refusesSet, [actPlusPlusReader]: refusesSet },
    advice: 'Keep recordings of different robots in separate folders.',
  },
  {
    id: 'aloha_camera_missing',
    holds: 'Every episode has the same cameras in /observations/images.',
    on: 'episode',
    consequences: { [actReader]: refusesRows, [actPlusPlusReader]: refusesRows },
    advice: 'Exclude the episode, or remove the camera from camera_names.',
  },
  {
    id: 'aloha_camera_size_differs',
    holds: 'The images of a camera have the same size in all episodes.',
    on: 'episode',
    consequences: { [actReader]: refusesRows, [actPlusPlusReader]: refusesRows },
    advice: 'Resize the images to the size used in the other episodes.',
  },
] as const satisfies readonly ContractRule[];

const rules = [...alohaSetRules, ...episodeRules];

/** Contract of ALOHA datasets, from load_data, get_norm_stats and EpisodicDataset in utils.py of both programs. */
export const alohaContract: Contract = {
  format: 'hdf5',
  versions: ['aloha', alohaEncoded],
  title: 'ALOHA and ACT HDF5',
  readers: [
    { id: actReader, title: 'ACT', release: 'commit 742c753 (2024-01-28), with all cameras in the files' },
    {
      id: actPlusPlusReader,
      title: 'act-plus-plus',
      release: 'commit 26bab07 (2024-01-10), for datasets with encoded images',
    },
  ],
  rules,
  readerOf: ({ version }) => (version === alohaEncoded ? actPlusPlusReader : actReader),
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
