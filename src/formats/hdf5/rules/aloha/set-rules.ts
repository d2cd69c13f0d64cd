import { type ContractRule, refusesRows, refusesSet, trainsWorse } from '../../../shared/rule.ts';
import { act, plus } from './readers.ts';

/** Rules of the files of a set together. */
export const alohaSetRules = [
  {
    id: 'aloha_numbering',
    holds: 'Files are episode_0.hdf5, episode_1.hdf5 and so on without a gap, in one folder.',
    on: 'dataset',
    breach: { [act]: refusesSet },
    advice: 'Number the files from 0 without a gap.',
  },
  {
    id: 'aloha_file_not_taken',
    holds:
      'The reader takes every file: ACT episode_<number>.hdf5, act-plus-plus *.hdf5 without features in its name.',
    on: 'dataset',
    breach: { [act]: trainsWorse, [plus]: trainsWorse },
    advice: 'Rename the file to episode_<number>.hdf5; under its present name it is never trained on.',
  },
  {
    id: 'aloha_no_file_taken',
    holds: 'At least one file is named *.hdf5, without features in its name.',
    on: 'dataset',
    breach: { [act]: refusesSet, [plus]: refusesSet },
    advice: 'Rename the files to episode_<number>.hdf5.',
  },
  {
    id: 'aloha_lengths_differ',
    holds: '/action and qpos have as many rows in every episode.',
    on: 'dataset',
    breach: { [act]: refusesSet },
    advice: 'Record, pad or cut all episodes to one length, or train with act-plus-plus, which pads.',
  },
  {
    id: 'aloha_camera_sizes_mixed',
    holds: 'The cameras of an episode give pictures of one size.',
    on: 'dataset',
    breach: { [act]: refusesRows, [plus]: refusesRows },
    advice: 'Scale all pictures to one size, or name only cameras of one size in camera_names.',
  },
  {
    id: 'aloha_compress_attribute',
    holds:
      'Pictures are encoded if and only if the attribute compress is true; ACT cannot read encoded ones.',
    on: 'dataset',
    breach: { [act]: refusesRows, [plus]: refusesRows },
    advice: 'Set compress as the pictures are.',
  },
] as const satisfies readonly ContractRule[];
