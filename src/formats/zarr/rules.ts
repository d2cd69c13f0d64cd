import {
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  servesWrongRows,
} from '../shared/rule.ts';

const reader = 'diffusion-policy';

const rules = [
  {
    id: 'zgroup_missing',
    holds: 'The dataset root, data and meta have a .zgroup.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Write the file: {"zarr_format": 2}.',
  },
  {
    id: 'group_among_arrays',
    holds: 'data has only arrays, no groups.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Move the group out of data, or its arrays up into data.',
  },
  {
    id: 'array_length_differs',
    holds: 'All arrays in data have the same first dimension.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Write all arrays with the same length; as they are, rows cannot be paired by number.',
  },
  {
    id: 'episode_ends_mismatch',
    holds: 'The last value of episode_ends is the first dimension of the arrays.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Correct episode_ends, or restore the rows.',
  },
  {
    id: 'episode_ends_fractional',
    holds: 'episode_ends is stored as integers.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Write episode_ends as int64.',
  },
  {
    id: 'episode_ends_not_increasing',
    holds:
      'Each value of episode_ends is larger than the one before; otherwise the sampler fails on an empty episode or returns rows twice.',
    on: 'dataset',
    consequences: { [reader]: refusesRows },
    advice: 'Write strictly increasing episode ends.',
  },
  {
    id: 'chunks_missing',
    holds: 'All chunks of an array exist; zarr returns the fill value for a missing one.',
    on: 'episode',
    consequences: { [reader]: servesWrongRows },
    advice: 'Copy the dataset again; the values returned for missing chunks were not recorded.',
  },
  {
    id: 'chunk_damaged',
    holds: 'Every chunk decodes to its declared size.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Copy the dataset again; corrupt chunks are read as NaN or as undecodable images.',
  },
] as const satisfies readonly ContractRule[];

/**
 * Contract of ReplayBuffer and SequenceSampler of diffusion_policy; verified with data in a folder, in memory and in
 * NumPy.
 */
export const diffusionPolicyContract: Contract = {
  format: 'zarr',
  title: 'diffusion_policy replay buffers (zarr 2)',
  readers: [{ id: reader, title: 'diffusion_policy', release: 'commit 5ba07ac, with zarr 2.18.7' }],
  rules,
};

export const replayViolation = ruleFindings(rules, reader);
