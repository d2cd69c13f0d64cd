import { targetTitles } from '#core/titles';
import { helpedBy, requires, step, type TargetProfileRow } from '../target-profile.ts';

export const behaviourCloning: TargetProfileRow = {
  id: 'behaviour-cloning',
  title: targetTitles['behaviour-cloning'],
  summary:
    'Trains a policy from scratch to answer observations with the operator’s commands: ACT, BC-RNN and their like.',
  kinds: ['teleop', 'state-only', 'drive-log', 'aerial-flight'],
  pipeline_steps: [
    step('read', 'recordings become episodes with streams on their own clocks'),
    step('readiness', 'a cloned policy copies jitter, lag and frozen joints too'),
    step(
      'action_space',
      'absolute targets and changes need different normalisation and different controllers',
    ),
    step('deduplicate', 'repeated episodes are counted twice by the loss'),
    step('split', 'held-out episodes are whole episodes'),
    step('statistics', 'mean and deviation of actions and states of the training split'),
    step('export', 'LeRobot v3 carries state, action and cameras with their statistics'),
  ],
  export_format: 'lerobot-v3',
  requirements: [
    requires('accepted_episodes', 'a clone is as good as what it copies'),
    requires('actions', 'the command is what is learnt'),
    requires('time', 'actions are played back at the rate they were recorded at'),
    requires('one_action_space', 'a loss over mixed representations averages things that do not compare'),
    helpedBy('states', 'the policy answers to where the robot is'),
    helpedBy('cameras', 'without them the policy cannot see what it handles'),
    helpedBy('outcomes', 'failed demonstrations can be left out'),
  ],
  learns_actions: true,
};
