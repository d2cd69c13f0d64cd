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
    teleop: 'the robot’s joint states already give the pose of its hand',
    'drive-log': 'no hands are visible in this kind of recording',
    'aerial-flight': 'no hands are visible in this kind of recording',
    'state-only': noPicturesReason,
  },
  quality: {
    signal: 'steady_confidence',
    how: 'mean keypoint confidence times the fraction of hands whose bone lengths stay constant between frames',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1'],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 30, 5], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
    confidence_floor: numberKnob([0, 1, 0.5], null, { summary: 'minimum confidence' }),
    max_hands: integerKnob([1, 4, 2], null, { summary: 'maximum number of hands per frame' }),
  },
  planned_compute_s: (size, { sample_hz }) => 0.1 * countSampledPictures(size, sample_hz),
  lane,
};
