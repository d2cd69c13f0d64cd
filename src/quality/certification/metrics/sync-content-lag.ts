import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';

export const syncContentLag: Metric = {
  id: 'sync.content_lag',
  title: metricTitles['sync.content_lag'],
  unit: 'ms',
  direction: 'lower_is_better',
  formula:
    '|k| where ρ(picture[i], speed[i − k]) peaks, by the parabola through the peak, |k| ≤ 1 s: rank correlation of what changes from frame to frame with the speed of the signals in that step; of the camera that lags most among those with a sure peak. Sure: ρ ≥ 0.5, at most 0.6 s wide at half its height, any other peak at most 0.75 of it, signals moving 10 to 95 % of the time',
  inputs: 'motion of each camera against the speed of state or IMU, on recorded or served times',
  boundaries: {
    ideal: 50,
    review: 150,
    allowed_share: 0.05,
    source:
      'a choice: one and five frames at 30 Hz; policies are trained on pairs of picture and action of one row',
  },
  observe({ receipt }) {
    const lag = receipt.facts?.content_lag;
    if (lag === undefined)
      return notAssessable('no camera’s motion could be held against the speed of a signal');
    const { lag_ms, sure, reason, control_delay_ms, ...peak } = lag;
    return {
      observed: Math.abs(lag_ms),
      confidence: sure ? 'high' : 'low',
      inputs: { lag_ms, ...peak },
      provenance: 'motion that pictures and signals share; no evidence of hardware clocks',
      diagnostics: { control_delay_ms, ...(reason === null ? {} : { for_review: reason }) },
    };
  },
};
