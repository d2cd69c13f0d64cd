import { layerTitles } from '#core/titles';
import { integerKnob, numberKnob } from '../../knob.ts';
import {
  allModes,
  countSampledPictures,
  type LayerRow,
  noMotionReason,
  noPicturesReason,
  sampledFrames,
} from '../../layer.ts';
import { lane } from './lane.ts';

/** The optical flow layer. */
export const opticalFlow: LayerRow = {
  id: 'optical_flow',
  title: layerTitles.optical_flow,
  produces: 'motion of each pixel between consecutive sampled frames, in pixels',
  needs: { signals: false, frames: sampledFrames(), layers: [], surfaces: ['optical_flow'] },
  unfit: { 'state-only': noPicturesReason, 'vision-asset': noMotionReason },
  quality: {
    signal: 'consistent_fraction',
    how: 'fraction of pixels whose forward and backward flow agree to within one pixel; pixels that leave the image count as not agreeing',
  },
  exports: [],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 30, 2], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
    max_side_px: integerKnob([64, 1024, 320], 'px', {
      summary: 'longer side of the image that flow is computed on',
      moves_cost: true,
    }),
  },
  planned_compute_s: (size, { sample_hz, max_side_px }) =>
    0.1 * (Number(max_side_px) / 320) ** 2 * countSampledPictures(size, sample_hz),
  lane,
};
