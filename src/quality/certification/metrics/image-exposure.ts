import { metricTitles } from '#core/titles';
import { observeFlawedFrames } from '../flawed-frames.ts';
import type { Metric } from '../metric.ts';

export const imageExposure: Metric = {
  id: 'image.exposure',
  title: metricTitles['image.exposure'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'frames that are black (mean luma ≤ 24, deviation ≤ 6), of one colour (deviation ≤ 3), dark (85 % of the pixels ≤ 20) or burnt out (half of the pixels ≥ 235), over the frames looked at; of the worst camera that shows anything in any episode',
  inputs: 'decoded frames, as image_integrity measured them',
  boundaries: {
    ideal: 0.02,
    review: 0.0625,
    allowed_share: 0.05,
    source: 'image_integrity raises its flag at one black frame in sixteen',
  },
  observe: (evidence) => observeFlawedFrames(evidence, ['black', 'blank', 'dark', 'bright']),
};
