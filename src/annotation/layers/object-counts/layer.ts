import { number } from '../../knob.ts';
import { anyMode, type LayerRow, noPictures, sampled, sampledPictures } from '../../layer.ts';
import { lane } from './lane.ts';

export const objectCounts: LayerRow = {
  id: 'object_counts',
  title: 'Object counts',
  produces: 'how many objects of each class sampled frames show',
  needs: { signals: false, frames: sampled(640), layers: [], surfaces: ['detection'] },
  unfit: { 'state-only': noPictures },
  quality: { signal: 'mean_confidence', how: 'mean confidence of the objects that are counted' },
  exports: [],
  modes: anyMode,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: number([0.1, 30, 1], 'hz', { summary: 'frames looked at', moves_cost: true }),
    confidence_floor: number([0, 1, 0.5], null, { summary: 'least confidence that counts' }),
  },
  planned_compute_s: (size, { sample_hz }) => 0.3 * sampledPictures(size, sample_hz),
  lane,
};
