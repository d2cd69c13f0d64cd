import { targetTitles } from '#core/titles';
import { helpedBy, requires, step, type TargetProfileRow } from '../target-profile.ts';

export const worldModel: TargetProfileRow = {
  id: 'world-model',
  title: targetTitles['world-model'],
  summary: 'Trains a model that predicts what the cameras will see next, given what is done.',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight'],
  pipeline_steps: [
    step('read', 'recordings become episodes with streams on their own clocks'),
    step('readiness', 'a repeated or late frame teaches that nothing moves'),
    step('action_space', 'prediction is conditioned on the action, so its meaning must be one'),
    step('annotate', 'depth and motion to predict beside the pixels, text to search by', [
      'depth',
      'optical_flow',
      'captions',
    ]),
    step('deduplicate', 'repeated scenes are memorised instead of learnt'),
    step('split', 'held-out places, not held-out frames'),
    step('export', 'shards are read in order as a stream, which long video needs'),
  ],
  export_format: 'webdataset',
  requirements: [
    requires('accepted_episodes', 'what was captured wrongly is predicted wrongly'),
    requires('cameras', 'the picture is what is predicted'),
    requires('time', 'the step that is predicted has a length'),
    helpedBy('actions', 'with them the model answers what an action leads to, and can be planned with'),
    helpedBy('states', 'they anchor the prediction where the cameras are blind'),
    helpedBy('one_action_space', 'mixed meanings of an action blur what it leads to'),
  ],
  learns_actions: true,
};
