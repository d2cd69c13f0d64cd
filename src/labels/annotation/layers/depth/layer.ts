import { integer, number } from '../../knob.ts';
import { anyMode, type LayerRow, noPictures, sampled, sampledPictures } from '../../layer.ts';
import { lane } from './lane.ts';

export const depth: LayerRow = {
  id: 'depth',
  title: 'Depth',
  produces: 'a depth map for each sampled frame: as recorded where a depth camera was there, else estimated',
  needs: {
    signals: false,
    frames: sampled(),
    distances: ({ sample_hz }) => ({ rate_hz: Number(sample_hz) }),
    layers: [],
    surfaces: ['depth'],
  },
  unfit: { 'state-only': noPictures },
  quality: {
    signal: 'valid_fraction',
    how: 'share of pixels with a depth that agrees with neighbouring frames',
  },
  exports: [],
  modes: anyMode,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: number([0.1, 30, 1], 'hz', { summary: 'frames looked at', moves_cost: true }),
    max_side_px: integer([128, 2048, 518], 'px', {
      summary: 'longer side of the picture that the model sees',
      moves_cost: true,
    }),
  },
  planned_compute_s: (size, { sample_hz, max_side_px }) =>
    1.2 * (Number(max_side_px) / 518) ** 2 * sampledPictures(size, sample_hz),
  lane,
};
