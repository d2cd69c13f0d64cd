import { targetTitles } from '#core/titles';
import { helpedBy, requires, step, type TargetProfileRow } from '../target-profile.ts';

export const diffusionPolicy: TargetProfileRow = {
  id: 'diffusion-policy',
  title: targetTitles['diffusion-policy'],
  summary: 'Trains a policy that draws whole chunks of actions by denoising, from scratch and for few tasks.',
  kinds: ['teleop', 'state-only'],
  pipeline_steps: [
    step('read', 'recordings become episodes with streams on their own clocks'),
    step('readiness', 'what is wrong in a demonstration is drawn again by the policy'),
    step(
      'action_space',
      'denoising is scaled by the range of the actions, which differs by orders between positions and changes',
    ),
    step('deduplicate', 'repeated episodes shift the distribution that is learnt'),
    step('split', 'held-out episodes are whole episodes'),
    step('statistics', 'actions are brought to −1..1 by the limits of the training split'),
    step('export', 'the reference implementation trains from a zarr replay buffer'),
  ],
  export_format: 'zarr-replay-buffer',
  requirements: [
    requires('accepted_episodes', 'what is rejected should not be drawn again'),
    requires('actions', 'the action chunk is what is denoised'),
    requires('time', 'chunks are played back at the rate they were recorded at'),
    requires('one_action_space', 'one normalisation serves every episode'),
    helpedBy('states', 'the policy is conditioned on the last poses'),
    helpedBy('cameras', 'without them the policy cannot see what it handles'),
    helpedBy('outcomes', 'failed demonstrations can be left out'),
  ],
  learns_actions: true,
};
