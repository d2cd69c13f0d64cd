import { metricTitles } from '#core/titles';
import { observeFlawedFrames } from '../flawed-frames.ts';
import type { Metric } from '../metric.ts';

export const imageBlur: Metric = {
  id: 'image.blur',
  title: metricTitles['image.blur'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'share of the decoded frames whose variance of the Laplacian of luma, at 320 px width, is below 6 and below 0.006 of the variance of luma; worst camera, without placeholder cameras',
  inputs: 'decoded frames, measured by image_integrity',
  boundaries: {
    ideal: 0.1,
    review: 0.5,
    allowed_share: 0.05,
    source:
      'the smoothest of 150 real images is above both limits, the median image blurred by 6 px is below; image_integrity flags one frame in two',
  },
  observe: (evidence) => observeFlawedFrames(evidence, ['blurred']),
};
