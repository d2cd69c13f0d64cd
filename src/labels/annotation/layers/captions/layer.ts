import { integer, number } from '../../knob.ts';
import { anyMode, type LayerRow, noPictures } from '../../layer.ts';
import { planned_frame_tokens, shown_px } from '../../vision/shown-frames.ts';
import { framesOfWindow, lane } from './lane.ts';

export const captions: LayerRow = {
  id: 'captions',
  title: 'Captions',
  produces: 'a sentence for every window of time, saying what is done and with what',
  needs: {
    signals: true,
    frames: null,
    vision: ({ window_s }) => ({
      cameras: 'first',
      rate_hz: framesOfWindow / Number(window_s),
      longest_side_px: shown_px,
    }),
    layers: ['segments', 'object_labels'],
    surfaces: ['captioning'],
  },
  unfit: { 'state-only': noPictures },
  quality: {
    signal: 'covered_fraction',
    how: 'share of the episode’s duration inside windows whose text is neither empty nor repeated',
  },
  exports: ['lerobot-v3', 'webdataset', 'mcap'],
  modes: anyMode,
  fallback: 'in_run',
  not_served: null,
  knobs: {
    window_s: number([1, 30, 5], 's', { summary: 'length of a window', moves_cost: true }),
    max_words: integer([5, 60, 20], null, { summary: 'most words of a sentence' }),
  },
  planned_compute_s: ({ duration_s }, { window_s }) => 0.05 * Math.ceil(duration_s / Number(window_s)),
  planned_tokens: ({ duration_s }, { window_s }) => {
    const windows = Math.max(1, Math.ceil(duration_s / Number(window_s)));
    return {
      prompt_tokens: windows * (framesOfWindow * planned_frame_tokens + 400),
      completion_tokens: windows * 100,
    };
  },
  lane,
};
