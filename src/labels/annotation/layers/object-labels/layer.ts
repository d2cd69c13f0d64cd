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
  produces: 'bounding boxes with class and confidence on sampled frames, optionally with masks',
  needs: {
    signals: false,
    frames: sampledFrames(640),
    layers: [],
    surfaces: ['detection'],
  },
  unfit: { 'state-only': noPicturesReason },
  quality: {
    signal: 'steady_confidence',
    how: 'mean confidence of the detections confirmed by the next sampled frame, times the fraction that is confirmed',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1', 'coco-detection'],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    ontology_source: choiceKnob(['open', 'workspace', 'manual'], {
      summary:
        'which classes to detect: all that the model knows (open), those declared in the workspace, or those in `classes` (manual)',
    }),
    classes: namesKnob({ summary: 'classes to detect if `ontology_source` is `manual`' }),
    confidence_floor: numberKnob([0, 1, 0.35], null, { summary: 'minimum confidence' }),
    masks: flagKnob(false, { summary: 'also compute a mask for each object', moves_cost: true }),
    sample_hz: numberKnob([0.1, 30, 1], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
  },
  planned_compute_s: (size, { sample_hz, masks }) =>
    (masks ? 0.6 : 0.15) * countSampledPictures(size, sample_hz),
  lane,
};
