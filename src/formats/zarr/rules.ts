import {
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  servesWrongRows,
} from '../shared/rule.ts';

const reader = 'diffusion_policy';

const rules = [
  {
    id: 'zgroup_missing',
    holds: 'The set, data and meta have a .zgroup.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Write the file: {"zarr_format": 2}.',
  },
  {
    id: 'group_among_arrays',
    holds: 'data holds arrays alone, no groups.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Move the group out of data, or its arrays up into data.',
  },
  {
    id: 'array_length_differs',
    holds: 'All arrays of data have the same first dimension.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Write the arrays with one length: as they are, rows cannot be paired by number.',
  },
  {
    id: 'episode_ends_mismatch',
    holds: 'The last of episode_ends is the first dimension of the arrays.',
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
      'Each episode ends later than the one before; the sampler fails at an empty one, and serves rows twice where one ends earlier.',
    on: 'dataset',
    consequences: { [reader]: refusesRows },
    advice: 'Write where each episode ends, each later than the one before.',
  },
  {
    id: 'chunks_missing',
    holds: 'Every chunk of an array is there; for a missing one the fill value is served.',
    on: 'episode',
    consequences: { [reader]: servesWrongRows },
    advice: 'Copy the set again; the values served for missing chunks were not recorded.',
  },
  {
    id: 'chunk_damaged',
    holds: 'Every chunk decodes to its size.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Copy the set again; damaged chunks read as NaN, or as no picture.',
  },
] as const satisfies readonly ContractRule[];

/**
 * Contract of ReplayBuffer and SequenceSampler of diffusion_policy; verified with data in a folder, in memory and in
 * NumPy.
 */
export const diffusionPolicyContract: Contract = {
  format: 'zarr',
  title: 'diffusion_policy replay buffers (zarr 2)',
  readers: [{ id: reader, release: 'commit 5ba07ac, with zarr 2.18.7' }],
  rules,
};

export const replayViolation = ruleFindings(rules, reader);
