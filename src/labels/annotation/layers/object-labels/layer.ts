import { layerTitles } from '#core/titles';
import { choiceKnob, flagKnob, namesKnob, numberKnob } from '../../knob.ts';
import {
  allModes,
  countSampledPictures,
  type LayerRow,
  noPicturesReason,
  sampledFrames,
} from '../../layer.ts';
import { lane } from './lane.ts';

/** The object labels layer. */
export const objectLabels: LayerRow = {
  id: 'object_labels',
  title: layerTitles.object_labels,
  produces: 'boxes with class and confidence on sampled frames, with masks where asked for',
  needs: {
    signals: false,
    frames: sampledFrames(640),
    layers: [],
    surfaces: ['detection'],
  },
  unfit: { 'state-only': noPicturesReason },
  quality: {
    signal: 'steady_confidence',
    how: 'mean confidence of detections that the next sampled frame confirms, times the share of those',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1', 'coco-detection'],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    ontology_source: choiceKnob(['open', 'workspace', 'manual'], {
      summary:
        'which classes are looked for: all the model knows, those the workspace declares, or `classes`',
    }),
    classes: namesKnob({ summary: 'classes that are looked for when `ontology_source` is `manual`' }),
    confidence_floor: numberKnob([0, 1, 0.35], null, { summary: 'least confidence that is kept' }),
    masks: flagKnob(false, { summary: 'outlines each object as well', moves_cost: true }),
    sample_hz: numberKnob([0.1, 30, 1], 'hz', { summary: 'frames looked at', moves_cost: true }),
  },
  planned_compute_s: (size, { sample_hz, masks }) =>
    (masks ? 0.6 : 0.15) * countSampledPictures(size, sample_hz),
  lane,
};
