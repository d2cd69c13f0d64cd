import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';

export const syncContentLag: Metric = {
  id: 'sync.content_lag',
  title: metricTitles['sync.content_lag'],
  unit: 'ms',
  direction: 'lower_is_better',
  formula:
    '|k| at the peak of ρ(image[i], speed[i − k]), refined by a parabola, |k| ≤ 1 s: rank correlation of the change between consecutive frames with the speed of the signals; camera with the largest lag among those with a clear peak. Clear: ρ ≥ 0.5, width at half maximum at most 0.6 s, no other peak above 0.75 of it, signals moving 10 to 95 % of the time',
  inputs:
    'motion in each camera and speed of state or IMU, by recorded timestamps or by the frame lookup of the loader',
  boundaries: {
    ideal: 50,
    review: 150,
    allowed_share: 0.05,
    source:
      'chosen: one and five frames at 30 Hz; policies are trained on the image and the action of the same row',
  },
  observe({ receipt }) {
    const lag = receipt.facts?.content_lag;
    if (lag === undefined)
      return notAssessable('the motion in no camera could be compared with the speed of a signal');
    const { lag_ms, sure, reason, control_delay_ms, ...peak } = lag;
    return {
      observed: Math.abs(lag_ms),
      confidence: sure ? 'high' : 'low',
      inputs: { lag_ms, ...peak },
      provenance: 'motion visible in both images and signals; not evidence of hardware synchronization',
      diagnostics: { control_delay_ms, ...(reason === null ? {} : { for_review: reason }) },
    };
  },
};
