import { targetTitles } from '#core/titles';
import { helpedBy, requires, step, type TargetProfileRow } from '../target-profile.ts';

export const sslEncoder: TargetProfileRow = {
  id: 'ssl-encoder',
  title: targetTitles['ssl-encoder'],
  summary: 'Trains a picture or video encoder on what the cameras saw, without labels.',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'vision-asset'],
  pipeline_steps: [
    step('read', 'recordings become episodes; pictures stay where they are'),
    step('readiness', 'black, blurred and repeated frames carry nothing to learn'),
    step('deduplicate', 'near copies dominate a loss that contrasts pictures'),
    step('split', 'held-out episodes are whole episodes'),
    step('export', 'an image folder is what every picture trainer loads'),
  ],
  export_format: 'image-folder',
  requirements: [
    requires('accepted_episodes', 'what shows nothing teaches nothing'),
    requires('cameras', 'the picture is all that is learnt from'),
    helpedBy('time', 'neighbouring frames are views of one scene, which video encoders learn from'),
  ],
  learns_actions: false,
};
