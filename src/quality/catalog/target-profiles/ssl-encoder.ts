import { targetTitles } from '#core/titles';
import { helpedBy, requires, step, type TargetProfileRow } from '../target-profile.ts';

export const sslEncoder: TargetProfileRow = {
  id: 'ssl-encoder',
  title: targetTitles['ssl-encoder'],
  summary: 'Trains an image or video encoder on camera data without labels.',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'vision-asset'],
  pipeline_steps: [
    step('read', 'recordings are indexed as episodes; images stay where they are'),
    step('readiness', 'black, blurred and repeated frames contain nothing to learn'),
    step('deduplicate', 'near copies dominate a contrastive loss'),
    step('split', 'whole episodes are held out'),
    step('export', 'every image trainer loads an image folder'),
  ],
  export_format: 'image-folder',
  requirements: [
    requires('accepted_episodes', 'empty images contain nothing to learn'),
    requires('cameras', 'the encoder learns from images only'),
    helpedBy('time', 'consecutive frames show one scene, from which video encoders learn'),
  ],
  learns_actions: false,
};
