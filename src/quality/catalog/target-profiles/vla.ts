import { targetTitles } from '#core/titles';
import { helpedBy, requires, step, type TargetProfileRow } from '../target-profile.ts';

export const vla: TargetProfileRow = {
  id: 'vla',
  title: targetTitles.vla,
  summary:
    'Fine-tunes a pretrained model that reads pictures and an instruction and answers with chunks of actions.',
  kinds: ['teleop', 'drive-log'],
  pipeline_steps: [
    step('read', 'recordings become episodes with streams on their own clocks'),
    step('readiness', 'an episode that was captured wrongly is learnt as it is'),
    step(
      'action_space',
      'the model’s action head must be told whether it answers with positions or with changes',
    ),
    step('annotate', 'instructions in other words, and segments to condition on', ['captions', 'segments']),
    step('deduplicate', 'repeated episodes weigh a task more than was meant'),
    step('split', 'held-out episodes are whole episodes, never frames of one that is trained on'),
    step('statistics', 'actions and states are normalised by quantiles of the training split'),
    step('export', 'LeRobot v3 is what the open VLA trainers load'),
  ],
  export_format: 'lerobot-v3',
  requirements: [
    requires('accepted_episodes', 'what is rejected should not be imitated'),
    requires('actions', 'the action is what is learnt'),
    requires('cameras', 'the model acts on what it sees'),
    requires(
      'instructions',
      'the model is told what to do in words; without them it cannot tell tasks apart',
    ),
    requires('time', 'actions are played back at the rate they were recorded at'),
    requires('one_action_space', 'one action head answers for every episode'),
    helpedBy('states', 'most VLA recipes condition on proprioception as well'),
    helpedBy('varied_instructions', 'with one text for everything the model learns to ignore the text'),
    helpedBy('outcomes', 'failed demonstrations can be left out or weighed down'),
  ],
  learns_actions: true,
};
