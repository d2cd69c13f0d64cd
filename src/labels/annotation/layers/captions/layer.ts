import { layerTitles } from '#core/titles';
import { integerKnob, numberKnob } from '../../knob.ts';
import { allModes, type LayerRow, noPicturesReason } from '../../layer.ts';
import { planned_frame_tokens, sentFrame_px } from '../../vision/frame-selection.ts';
import { framesPerWindow, lane } from './lane.ts';

/** The captions layer. */
export const captions: LayerRow = {
  id: 'captions',
  title: layerTitles.captions,
  produces: 'one sentence per time window that describes the action and the objects involved',
  needs: {
    signals: true,
    frames: null,
    vision: ({ window_s }) => ({
      cameras: 'first',
      rate_hz: framesPerWindow / Number(window_s),
      longest_side_px: sentFrame_px,
    }),
    layers: ['segments', 'object_labels'],
    surfaces: ['captioning'],
  },
  unfit: { 'state-only': noPicturesReason },
  quality: {
    signal: 'covered_fraction',
    how: 'fraction of the episode’s duration in windows whose text is neither empty nor repeated',
  },
  exports: ['lerobot-v3', 'webdataset', 'mcap'],
  modes: allModes,
  fallback: 'in_run',
  not_served: null,
  knobs: {
    window_s: numberKnob([1, 30, 5], 's', { summary: 'length of a window', moves_cost: true }),
    max_words: integerKnob([5, 60, 20], null, { summary: 'maximum number of words per sentence' }),
  },
  planned_compute_s: ({ duration_s }, { window_s }) => 0.05 * Math.ceil(duration_s / Number(window_s)),
  planned_tokens: ({ duration_s }, { window_s }) => {
    const windows = Math.max(1, Math.ceil(duration_s / Number(window_s)));
    return {
      prompt_tokens: windows * (framesPerWindow * planned_frame_tokens + 400),
      completion_tokens: windows * 100,
    };
  },
  lane,
};
