import { targetTitles } from '#core/titles';
import { helpedBy, requires, step, type TargetProfileRow } from '../target-profile.ts';

export const behaviourCloning: TargetProfileRow = {
  id: 'behaviour-cloning',
  title: targetTitles['behaviour-cloning'],
  summary:
    'Trains a policy from scratch to predict the operator’s commands from observations, for example ACT or BC-RNN.',
  kinds: ['teleop', 'state-only', 'drive-log', 'aerial-flight'],
  pipeline_steps: [
    step('read', 'recordings are split into episodes, each stream with its own clock'),
    step('readiness', 'a cloned policy also copies jitter, lag and frozen joints'),
    step('action_space', 'absolute targets and deltas need different normalisation and controllers'),
    step('deduplicate', 'repeated episodes count twice in the loss'),
    step('split', 'whole episodes are held out'),
    step('statistics', 'mean and standard deviation of actions and states of the training split'),
    step('export', 'LeRobot v3 stores state, action and cameras with their statistics'),
  ],
  export_format: 'lerobot-v3',
  requirements: [
    requires('accepted_episodes', 'a cloned policy is as good as its demonstrations'),
    requires('actions', 'the policy learns actions'),
    requires('time', 'actions are executed at the recorded rate'),
    requires('one_action_space', 'a loss over mixed representations averages incomparable values'),
    helpedBy('states', 'the policy is conditioned on the robot state'),
    helpedBy('cameras', 'without images the policy cannot see the objects'),
    helpedBy('outcomes', 'allows failed demonstrations to be excluded'),
  ],
  learns_actions: true,
};
