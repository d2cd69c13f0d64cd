import { layerTitles } from '#core/titles';
import { integerKnob, numberKnob } from '../../knob.ts';
import {
  allModes,
  countSampledPictures,
  type LayerRow,
  noPicturesReason,
  sampledFrames,
} from '../../layer.ts';
import { lane } from './lane.ts';

/** The hand pose layer. */
export const handPose: LayerRow = {
  id: 'hand_pose',
  title: layerTitles.hand_pose,
  produces: '21 keypoints of each visible hand on sampled frames',
  needs: { signals: false, frames: sampledFrames(640), layers: [], surfaces: ['hand_pose'] },
  unfit: {
    teleop: 'the robot’s own joints say where its hand is',
    'drive-log': 'no hand works in front of the cameras',
    'aerial-flight': 'no hand works in front of the cameras',
    'state-only': noPicturesReason,
  },
  quality: {
    signal: 'steady_confidence',
    how: 'mean keypoint confidence times the share of hands whose bones keep their length between frames',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1'],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 30, 5], 'hz', { summary: 'frames looked at', moves_cost: true }),
    confidence_floor: numberKnob([0, 1, 0.5], null, { summary: 'least confidence that is kept' }),
    max_hands: integerKnob([1, 4, 2], null, { summary: 'most hands of a frame' }),
  },
  planned_compute_s: (size, { sample_hz }) => 0.1 * countSampledPictures(size, sample_hz),
  lane,
};
