import { layerTitles } from '#core/titles';
import { namesKnob, numberKnob } from '../../knob.ts';
import {
  allModes,
  countSampledPictures,
  type LayerRow,
  noPicturesReason,
  sampledFrames,
} from '../../layer.ts';
import { lane } from './lane.ts';

/** The segmentation layer. */
export const segmentation: LayerRow = {
  id: 'segmentation',
  title: layerTitles.segmentation,
  produces: 'the class of every pixel on sampled frames, as run lengths',
  needs: {
    signals: false,
    frames: sampledFrames(640),
    layers: [],
    surfaces: ['segmentation', 'masks', 'detection'],
  },
  unfit: { 'state-only': noPicturesReason },
  quality: {
    signal: 'labelled_fraction',
    how: 'share of pixels that got a class and have the same in the next sampled frame; of a single frame, that got one',
  },
  exports: ['coco-detection'],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 10, 0.5], 'hz', { summary: 'frames looked at', moves_cost: true }),
    classes: namesKnob({ summary: 'classes that are kept; empty keeps all' }),
  },
  planned_compute_s: (size, { sample_hz }) => 0.8 * countSampledPictures(size, sample_hz),
  lane,
};
