import { choice, flag, names, number } from '../../knob.ts';
import { anyMode, type LayerRow, noPictures, sampled, sampledPictures } from '../../layer.ts';
import { lane } from './lane.ts';

export const objectLabels: LayerRow = {
  id: 'object_labels',
  title: 'Object labels',
  produces: 'boxes with class and confidence on sampled frames, with masks where asked for',
  needs: {
    signals: false,
    frames: sampled(640),
    layers: [],
    surfaces: ['detection'],
  },
  unfit: { 'state-only': noPictures },
  quality: {
    signal: 'steady_confidence',
    how: 'mean confidence of detections that the next sampled frame confirms, times the share of those',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1', 'coco-detection'],
  modes: anyMode,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    ontology_source: choice(['open', 'workspace', 'manual'], {
      summary:
        'which classes are looked for: all the model knows, those the workspace declares, or `classes`',
    }),
    classes: names({ summary: 'classes that are looked for when `ontology_source` is `manual`' }),
    confidence_floor: number([0, 1, 0.35], null, { summary: 'least confidence that is kept' }),
    masks: flag(false, { summary: 'outlines each object as well', moves_cost: true }),
    sample_hz: number([0.1, 30, 1], 'hz', { summary: 'frames looked at', moves_cost: true }),
  },
  planned_compute_s: (size, { sample_hz, masks }) => (masks ? 0.6 : 0.15) * sampledPictures(size, sample_hz),
  lane,
};
