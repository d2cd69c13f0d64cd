import { layerTitles } from '#core/titles';
import { numberKnob } from '../../knob.ts';
import {
  countSampledPictures,
  type LayerRow,
  noPicturesReason,
  onDemandModes,
  sampledFrames,
} from '../../layer.ts';
import { lane } from './lane.ts';

/** The body pose layer. */
export const bodyPose: LayerRow = {
  id: 'body_pose',
  title: layerTitles.body_pose,
  produces: '17 keypoints of each visible person on sampled frames',
  needs: { signals: false, frames: sampledFrames(640), layers: [], surfaces: ['body_pose', 'detection'] },
  unfit: {
    teleop: 'people are not the subject of teleoperation recordings',
    'aerial-flight': 'people in aerial images are too small for keypoints',
    'state-only': noPicturesReason,
  },
  quality: {
    signal: 'steady_confidence',
    how: 'mean keypoint confidence times the fraction of people whose limb lengths stay constant between frames',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1'],
  modes: onDemandModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 30, 5], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
    confidence_floor: numberKnob([0, 1, 0.3], null, { summary: 'minimum confidence' }),
  },
  planned_compute_s: (size, { sample_hz }) => 0.12 * countSampledPictures(size, sample_hz),
  lane,
};
