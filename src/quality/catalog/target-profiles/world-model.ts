import { targetTitles } from '#core/titles';
import { helpedBy, requires, step, type TargetProfileRow } from '../target-profile.ts';

export const worldModel: TargetProfileRow = {
  id: 'world-model',
  title: targetTitles['world-model'],
  summary: 'Trains a model that predicts future camera images from actions.',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight'],
  pipeline_steps: [
    step('read', 'recordings are split into episodes, each stream with its own clock'),
    step('readiness', 'repeated or late frames teach that nothing moves'),
    step(
      'action_space',
      'predictions are conditioned on actions, so all actions need the same representation',
    ),
    step('annotate', 'depth and motion as additional targets, text for search', [
      'depth',
      'optical_flow',
      'captions',
    ]),
    step('deduplicate', 'repeated scenes are memorised'),
    step('split', 'hold out places, not frames'),
    step('export', 'shards can be streamed in order, as required for long video'),
  ],
  export_format: 'webdataset',
  requirements: [
    requires('accepted_episodes', 'the model learns to predict capture errors'),
    requires('cameras', 'the model predicts images'),
    requires('time', 'the prediction step needs a known duration'),
    helpedBy('actions', 'with actions, the model predicts their effects and can be used for planning'),
    helpedBy('states', 'states help where the cameras see little'),
    helpedBy('one_action_space', 'mixed action representations blur the predicted effects'),
  ],
  learns_actions: true,
};
