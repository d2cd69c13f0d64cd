import { metricTitles } from '#core/titles';
import { observeFlawedFrames } from '../flawed-frames.ts';
import type { Metric } from '../metric.ts';

export const imageBlur: Metric = {
  id: 'image.blur',
  title: metricTitles['image.blur'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'frames whose variance of the Laplacian of luma, at 320 px width, is under 6 and under 0.006 of the variance of luma, over the frames looked at; of the worst camera that shows anything in any episode',
  inputs: 'decoded frames, as image_integrity measured them',
  boundaries: {
    ideal: 0.1,
    review: 0.5,
    allowed_share: 0.05,
    source:
      'of 150 real pictures the smoothest lies above both limits, blurred by 6 px the median below; image_integrity raises its flag at one frame in two',
  },
  observe: (evidence) => observeFlawedFrames(evidence, ['blurred']),
};
