import {
  type Consequence,
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  trainsWorse,
  trainsWrong,
} from '../../shared/rule.ts';

const reader = 'robomimic';
/**
 * Offline RL algorithms whose default settings need next_obs (CQL, IQL, BCQ, TD3-BC and others); BC and diffusion
 * policy do not.
 */
const offline = 'robomimic, offline RL';
const refusesOffline: Consequence = { reader: 'refuses_set', severity: 'info' };

const fileRules = [
  {
    id: 'robomimic_demo_name',
    holds: 'Every name below /data has a whole number after its fifth character: demo_12.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Rename them to demo_<number>, and move everything else out of /data.',
  },
  {
    id: 'robomimic_env_args_missing',
    holds: '/data has the attribute env_args, a JSON object.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Write env_args: {"env_name": …, "type": …, "env_kwargs": {…}}.',
  },
  {
    id: 'robomimic_actions_missing',
    holds: 'Every demonstration has actions, an array of steps x dimensions.',
    on: 'dataset',
    consequences: { [reader]: refusesRows },
    advice: 'Remove demonstrations without actions from /data and from the masks.',
  },
  {
    id: 'robomimic_mask_demo_absent',
    holds: 'Every demonstration that a mask names is in /data.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Write the masks again (split_train_val.py); training with such a mask stops with a KeyError.',
  },
  {
    id: 'robomimic_masks_overlap',
    holds: 'No demonstration is in both mask/train and mask/valid.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Write the masks again, so that validation sees what training did not.',
  },
  {
    id: 'robomimic_transitions_missing',
    holds: 'Demonstrations have rewards, dones and next_obs; where none has rewards, zeros are served.',
    on: 'dataset',
    consequences: { [offline]: refusesOffline },
    advice:
      'Nothing to do for imitation; for offline reinforcement learning write them (dataset_states_to_obs.py).',
  },
] as const satisfies readonly ContractRule[];

const demoRules = [
  {
    id: 'robomimic_num_samples_missing',
    holds: 'Every demonstration has the attribute num_samples.',
    on: 'episode',
    consequences: { [reader]: refusesSet },
    advice: 'Set num_samples to the number of its actions.',
  },
  {
    id: 'robomimic_num_samples_type',
    holds: 'num_samples is stored as an integer.',
    on: 'episode',
    consequences: { [reader]: refusesSet },
    advice: 'Store num_samples as an integer: int(n), not a float.',
  },
  {
    id: 'robomimic_num_samples_zero',
    holds: 'num_samples is at least 1.',
    on: 'episode',
    consequences: { [reader]: refusesSet },
    advice: 'Set num_samples to the number of its actions.',
  },
  {
    id: 'robomimic_num_samples_over',
    holds: 'num_samples is at most the number of actions.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Set num_samples to the number of its actions, or restore the lost rows.',
  },
  {
    id: 'robomimic_num_samples_under',
    holds: 'num_samples is at least the number of actions; rows beyond it are never served.',
    on: 'episode',
    consequences: { [reader]: trainsWorse },
    advice: 'Set num_samples to the number of its actions.',
  },
  {
    id: 'robomimic_array_short',
    holds: 'Observations, rewards and dones have no fewer rows than num_samples.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Cut every array and num_samples to the rows they share.',
  },
  {
    id: 'robomimic_array_long',
    holds: 'Observations, rewards and dones have as many rows as actions; further rows are never served.',
    on: 'episode',
    consequences: { [reader]: trainsWrong },
    advice: 'Make sure that row i of each array belongs to action i, and cut the rest.',
  },
  {
    id: 'robomimic_array_missing',
    holds: 'All demonstrations hold the same observations, and all or none hold rewards and dones.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Restore the array (dataset_states_to_obs.py), or leave the demonstration out.',
  },
  {
    id: 'robomimic_shape_differs',
    holds: 'A row of an array has the shape that it has in the first demonstration.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Record with one robot and one camera size, or keep the demonstrations in separate files.',
  },
  {
    id: 'robomimic_actions_out_of_range',
    holds:
      'Actions lie in -1..1, the range that policies put out; get_dataset_info and diffusion policy refuse others.',
    on: 'episode',
    consequences: { [reader]: trainsWorse },
    advice: 'Scale the actions to -1..1, or set normalization of actions to min_max in the configuration.',
  },
] as const satisfies readonly ContractRule[];

const rules = [...fileRules, ...demoRules];

/**
 * Contract of robomimic datasets, from SequenceDataset and train.py; verified with cached and uncached files in both
 * releases.
 */
export const robomimicContract: Contract = {
  format: 'hdf5',
  versions: ['robomimic'],
  title: 'robomimic HDF5',
  readers: [
    { id: reader, release: '0.3.0 and 0.5.0, with the standard settings of BC' },
    { id: offline, release: '0.5.0, with the standard settings of CQL, IQL, BCQ and TD3-BC' },
  ],
  rules,
};

export const robomimicViolation = ruleFindings(rules, reader);
