import { layerTitles } from '#core/titles';
import { choiceKnob, integerKnob } from '../../knob.ts';
import { allModes, type LayerRow, noMotionReason, noPicturesReason } from '../../layer.ts';
import { planned_frame_tokens, sentFrame_px } from '../../vision/frame-selection.ts';
import { candidateFrames_hz, framesPerText, lane } from './lane.ts';
import { styles } from './statements.ts';

/** The dense text layer. */
export const denseText: LayerRow = {
  id: 'dense_text',
  title: layerTitles.dense_text,
  produces: 'a long description of the whole episode: chronological, spatial, or as an instruction',
  needs: {
    signals: true,
    frames: null,
    vision: () => ({ cameras: 'first', rate_hz: candidateFrames_hz, longest_side_px: sentFrame_px }),
    layers: ['segments', 'object_labels'],
    models: [{ surface: 'captioning', optional: true }],
  },
  unfit: { 'state-only': noPicturesReason, 'vision-asset': noMotionReason },
  quality: {
    signal: 'grounded_fraction',
    how: 'fraction of the statements supported by a segment, an object, the task or measured motion',
  },
  exports: ['lerobot-v3', 'webdataset', 'mcap'],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    style: choiceKnob(styles, { summary: 'style of the text' }),
    target_words: integerKnob([50, 2000, 300], null, {
      summary: 'target length in words',
      moves_cost: true,
    }),
  },
  planned_compute_s: (_size, { target_words }) => 0.05 + 0.0005 * Number(target_words),
  planned_tokens: (_size, { target_words }) => ({
    prompt_tokens: framesPerText * planned_frame_tokens + 2000,
    completion_tokens: 200 + 4 * Number(target_words),
  }),
  lane,
};
