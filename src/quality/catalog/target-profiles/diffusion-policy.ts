import { targetTitles } from '#core/titles';
import { helpedBy, requires, step, type TargetProfileRow } from '../target-profile.ts';

export const diffusionPolicy: TargetProfileRow = {
  id: 'diffusion-policy',
  title: targetTitles['diffusion-policy'],
  summary: 'Trains a policy from scratch that generates action chunks by denoising, for few tasks.',
  kinds: ['teleop', 'state-only'],
  pipeline_steps: [
    step('read', 'recordings are split into episodes, each stream with its own clock'),
    step('readiness', 'the policy reproduces errors of the demonstrations'),
    step(
      'action_space',
      'denoising scales with the action range, which differs by orders of magnitude between positions and deltas',
    ),
    step('deduplicate', 'repeated episodes distort the learnt distribution'),
    step('split', 'whole episodes are held out'),
    step('statistics', 'actions are scaled to −1..1 by the limits of the training split'),
    step('export', 'the reference implementation trains from a zarr replay buffer'),
  ],
  export_format: 'zarr-replay-buffer',
  requirements: [
    requires('accepted_episodes', 'rejected episodes should not be reproduced'),
    requires('actions', 'the policy denoises action chunks'),
    requires('time', 'chunks are executed at the recorded rate'),
    requires('one_action_space', 'all episodes share one normalisation'),
    helpedBy('states', 'the policy is conditioned on recent robot states'),
    helpedBy('cameras', 'without images the policy cannot see the objects'),
    helpedBy('outcomes', 'allows failed demonstrations to be excluded'),
  ],
  learns_actions: true,
};
