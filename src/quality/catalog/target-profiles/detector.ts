import { targetTitles } from '#core/titles';
import { requires, step, type TargetProfileRow } from '../target-profile.ts';

export const detector: TargetProfileRow = {
  id: 'detector',
  title: targetTitles.detector,
  summary: 'Trains a model that finds objects in pictures, from boxes and categories.',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'vision-asset'],
  pipeline_steps: [
    step('read', 'recordings become episodes; pictures stay where they are'),
    step('readiness', 'an object in a blurred or black frame cannot be found or labelled'),
    step('annotate', 'boxes are found by grounding the workspace’s classes in the pictures', [
      'object_labels',
    ]),
    step('deduplicate', 'near copies on both sides of the split make the score too good'),
    step('split', 'frames of one episode stay on one side'),
    step('export', 'COCO detection is what detector trainers load'),
  ],
  export_format: 'coco-detection',
  requirements: [
    requires('accepted_episodes', 'pictures that show nothing have nothing to find'),
    requires('cameras', 'the picture is what is searched'),
    requires('labels', 'boxes and categories are what is learnt'),
  ],
  learns_actions: false,
};
