import { names, number } from '../../knob.ts';
import { anyMode, type LayerRow, noPictures, sampled, sampledPictures } from '../../layer.ts';
import { lane } from './lane.ts';

export const segmentation: LayerRow = {
  id: 'segmentation',
  title: 'Segmentation',
  produces: 'the class of every pixel on sampled frames, as run lengths',
  needs: {
    signals: false,
    frames: sampled(640),
    layers: [],
    surfaces: ['segmentation', 'masks', 'detection'],
  },
  unfit: { 'state-only': noPictures },
  quality: {
    signal: 'labelled_fraction',
    how: 'share of pixels that got a class and have the same in the next sampled frame; of a single frame, that got one',
  },
  exports: ['coco-detection'],
  modes: anyMode,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: number([0.1, 10, 0.5], 'hz', { summary: 'frames looked at', moves_cost: true }),
    classes: names({ summary: 'classes that are kept; empty keeps all' }),
  },
  planned_compute_s: (size, { sample_hz }) => 0.8 * sampledPictures(size, sample_hz),
  lane,
};
