import { targetTitles } from '#core/titles';
import { helpedBy, requires, step, type TargetProfileRow } from '../target-profile.ts';

export const vla: TargetProfileRow = {
  id: 'vla',
  title: targetTitles.vla,
  summary: 'Fine-tunes a pretrained model that predicts action chunks from images and an instruction.',
  kinds: ['teleop', 'drive-log'],
  pipeline_steps: [
    step('read', 'recordings are split into episodes, each stream with its own clock'),
    step('readiness', 'the model learns capture errors as they are'),
    step('action_space', 'the action head must know whether actions are positions or deltas'),
    step('annotate', 'paraphrased instructions, and segments for conditioning', ['captions', 'segments']),
    step('deduplicate', 'repeated episodes overweight a task'),
    step('split', 'whole episodes are held out, never frames of a training episode'),
    step('statistics', 'actions and states are normalised by quantiles of the training split'),
    step('export', 'open VLA trainers load LeRobot v3'),
  ],
  export_format: 'lerobot-v3',
  requirements: [
    requires('accepted_episodes', 'rejected episodes should not be imitated'),
    requires('actions', 'the model learns actions'),
    requires('cameras', 'the model takes images as input'),
    requires(
      'instructions',
      'the model is conditioned on instructions; without them it cannot distinguish tasks',
    ),
    requires('time', 'actions are executed at the recorded rate'),
    requires('one_action_space', 'all episodes share one action head'),
    helpedBy('states', 'most VLA recipes also condition on proprioception'),
    helpedBy('varied_instructions', 'with a single text the model learns to ignore it'),
    helpedBy('outcomes', 'allows failed demonstrations to be excluded or down-weighted'),
  ],
  learns_actions: true,
};
