import {
  type Consequence,
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  trainsWorse,
  trainsWrong,
} from '../shared/rule.ts';

const reader = 'robomimic';
/**
 * Offline RL algorithms whose default settings need next_obs (CQL, IQL, BCQ, TD3-BC and others); BC and diffusion
 * policy do not.
 */
const offline = 'robomimic-offline';
const refusesOffline: Consequence = { reader: 'refuses_set', severity: 'info' };

const fileRules = [
  {
    id: 'robomimic_demo_name',
    holds: 'Every name in /data has an integer after its fifth character, such as demo_12.',
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
    holds: 'Every demonstration listed in a mask exists in /data.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Write the masks again (split_train_val.py); training with such a mask fails with a KeyError.',
  },
  {
    id: 'robomimic_masks_overlap',
    holds: 'No demonstration is in both mask/train and mask/valid.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Write the masks again, so that validation uses only demonstrations that training did not see.',
  },
  {
    id: 'robomimic_transitions_missing',
    holds: 'Demonstrations have rewards, dones and next_obs; if none has rewards, the loader returns zeros.',
    on: 'dataset',
    consequences: { [offline]: refusesOffline },
    advice: 'Nothing to do for imitation learning; for offline RL, write them with dataset_states_to_obs.py.',
  },
] as const satisfies readonly ContractRule[];

const demoRules = [
  {
    id: 'robomimic_num_samples_missing',
    holds: 'Every demonstration has the attribute num_samples.',
    on: 'episode',
    consequences: { [reader]: refusesSet },
    advice: 'Set num_samples to the number of actions.',
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
    advice: 'Set num_samples to the number of actions.',
  },
  {
    id: 'robomimic_num_samples_over',
    holds: 'num_samples does not exceed the number of actions.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Set num_samples to the number of actions, or restore the missing rows.',
  },
  {
    id: 'robomimic_num_samples_under',
    holds: 'num_samples is at least the number of actions; rows beyond num_samples are never used.',
    on: 'episode',
    consequences: { [reader]: trainsWorse },
    advice: 'Set num_samples to the number of actions.',
  },
  {
    id: 'robomimic_array_short',
    holds: 'Observations, rewards and dones have at least num_samples rows.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Trim all arrays and num_samples to the rows they share.',
  },
  {
    id: 'robomimic_array_long',
    holds: 'Observations, rewards and dones have as many rows as actions; additional rows are never used.',
    on: 'episode',
    consequences: { [reader]: trainsWrong },
    advice: 'Make sure that row i of each array belongs to action i, and remove the extra rows.',
  },
  {
    id: 'robomimic_array_missing',
    holds: 'All demonstrations have the same observations, and either all or none have rewards and dones.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Restore the array (dataset_states_to_obs.py), or exclude the demonstration.',
  },
  {
    id: 'robomimic_shape_differs',
    holds: 'Rows of an array have the same shape as in the first demonstration.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Use one robot and one camera size per file, or keep the demonstrations in separate files.',
  },
  {
    id: 'robomimic_actions_out_of_range',
    holds:
      'Actions are within -1..1, the output range of policies; get_dataset_info and diffusion policy reject other values.',
    on: 'episode',
    consequences: { [reader]: trainsWorse },
    advice: 'Scale the actions to -1..1, or set the action normalization to min_max in the configuration.',
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
    { id: reader, title: 'robomimic', release: '0.3.0 and 0.5.0, with the default BC settings' },
    {
      id: offline,
      title: 'robomimic, offline RL',
      release: '0.5.0, with the default settings of CQL, IQL, BCQ and TD3-BC',
    },
  ],
  rules,
};

/** Creates the finding for a violated rule of robomimic. */
export const robomimicViolation = ruleFindings(rules, reader);
