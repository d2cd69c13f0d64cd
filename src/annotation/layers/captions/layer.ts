import { integer, number } from '../../knob.ts';
import { anyMode, type LayerRow, noPictures } from '../../layer.ts';
import { lane } from './lane.ts';

export const captions: LayerRow = {
  id: 'captions',
  title: 'Captions',
  produces: 'a sentence for every window of time, saying what is done and with what',
  needs: {
    signals: true,
    frames: null,
    layers: ['segments', 'object_labels'],
    surfaces: ['captioning'],
  },
  unfit: { 'state-only': noPictures },
  quality: {
    signal: 'covered_fraction',
    how: 'share of the episode’s duration inside windows whose text is neither empty nor repeated',
  },
  exports: ['lerobot-v3', 'webdataset', 'image-folder'],
  modes: anyMode,
  fallback: 'in_run',
  not_served: null,
  knobs: {
    window_s: number([1, 30, 5], 's', { summary: 'length of a window', moves_cost: true }),
    max_words: integer([5, 60, 20], null, { summary: 'most words of a sentence' }),
  },
  planned_compute_s: ({ duration_s }, { window_s }) => 0.05 * Math.ceil(duration_s / Number(window_s)),
  lane,
};
