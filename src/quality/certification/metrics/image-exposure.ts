import { metricTitles } from '#core/titles';
import { observeFlawedFrames } from '../flawed-frames.ts';
import type { Metric } from '../metric.ts';

export const imageExposure: Metric = {
  id: 'image.exposure',
  title: metricTitles['image.exposure'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'share of the decoded frames that are black (mean luma ≤ 24, standard deviation ≤ 6), uniform (standard deviation ≤ 3), underexposed (85 % of the pixels ≤ 20) or overexposed (half of the pixels ≥ 235); worst camera, without placeholder cameras',
  inputs: 'decoded frames, measured by image_integrity',
  boundaries: {
    ideal: 0.02,
    review: 0.0625,
    allowed_share: 0.05,
    source: 'image_integrity flags one black frame in sixteen',
  },
  observe: (evidence) => observeFlawedFrames(evidence, ['black', 'blank', 'dark', 'bright']),
};
