import { layerIds } from '#core/api';
import { layerTitles } from '#core/titles';
import { integerKnob, numberKnob } from '../../knob.ts';
import type { LayerRow } from '../../layer.ts';
import { planned_frame_tokens, sentFrame_px } from '../../vision/frame-selection.ts';
import { framesPerStatement } from './judge-statements.ts';
import { lane } from './lane.ts';

/** A job type that is not a layer of the catalogue: it reviews layer output and adds nothing to an episode. */
export const annotationReview: LayerRow<'annotation_review'> = {
  id: 'annotation_review',
  title: layerTitles.annotation_review,
  produces: 'a verdict on each annotation layer of the episode, with evidence and advice',
  needs: {
    signals: true,
    frames: null,
    vision: ({ sample_hz }) => ({
      cameras: 'first',
      rate_hz: Number(sample_hz),
      longest_side_px: sentFrame_px,
    }),
    layers: layerIds,
    models: [{ surface: 'reviewing', optional: true }],
  },
  unfit: {},
  quality: { signal: 'good_fraction', how: 'fraction of the reviewed layers with the verdict good' },
  exports: [],
  modes: [],
  fallback: 'off',
  not_served: null,
  knobs: {
    frames: integerKnob([1, 24, 6], null, {
      summary: 'number of frames that layers are compared with',
      moves_cost: true,
    }),
    windows: integerKnob([1, 200, 20], null, {
      summary: 'maximum number of captions that are reviewed',
      moves_cost: true,
    }),
    sample_hz: numberKnob([0.1, 5, 2], 'hz', {
      summary: 'sampling rate of the frames to choose from',
      moves_cost: true,
    }),
  },
  planned_compute_s: () => 0.1,
  planned_tokens: (_size, { frames, windows }) => ({
    prompt_tokens:
      Number(windows) * (framesPerStatement * planned_frame_tokens + 400) +
      3 * (Number(frames) * planned_frame_tokens + 1000),
    completion_tokens: Number(windows) * 100 + 3 * 40 * (Number(frames) + 10),
  }),
  lane,
};
