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

/** The depth layer. */
export const depth: LayerRow = {
  id: 'depth',
  title: layerTitles.depth,
  produces:
    'a depth map for each sampled frame: recorded if the episode has a depth camera, otherwise estimated',
  needs: {
    signals: false,
    frames: sampledFrames(),
    distances: ({ sample_hz }) => ({ rate_hz: Number(sample_hz) }),
    layers: [],
    surfaces: ['depth'],
  },
  unfit: { 'state-only': noPicturesReason },
  quality: {
    signal: 'valid_fraction',
    how: 'fraction of pixels whose depth agrees with neighbouring frames',
  },
  exports: [],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 30, 1], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
    max_side_px: integerKnob([128, 2048, 518], 'px', {
      summary: 'longer side of the image passed to the model',
      moves_cost: true,
    }),
  },
  planned_compute_s: (size, { sample_hz, max_side_px }) =>
    1.2 * (Number(max_side_px) / 518) ** 2 * countSampledPictures(size, sample_hz),
  lane,
};
