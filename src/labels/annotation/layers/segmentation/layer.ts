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
  produces: 'the class of each pixel on sampled frames, as run-length encoded masks',
  needs: {
    signals: false,
    frames: sampledFrames(640),
    layers: [],
    surfaces: ['segmentation', 'masks', 'detection'],
  },
  unfit: { 'state-only': noPicturesReason },
  quality: {
    signal: 'labelled_fraction',
    how: 'fraction of pixels that have the same class in the next sampled frame; for a single frame, fraction of pixels with a class',
  },
  exports: ['coco-detection'],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 10, 0.5], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
    classes: namesKnob({ summary: 'classes to keep; empty keeps all' }),
  },
  planned_compute_s: (size, { sample_hz }) => 0.8 * countSampledPictures(size, sample_hz),
  lane,
};
