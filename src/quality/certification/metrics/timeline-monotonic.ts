import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';

export const timelineMonotonic: Metric = {
  id: 'timeline.monotonic',
  title: metricTitles['timeline.monotonic'],
  unit: 'stamps',
  direction: 'lower_is_better',
  formula:
    'number of timestamps t[i] that are not finite or smaller than t[i−1], summed over the streams of the episode',
  inputs: 'all timestamps of each sensor, state, action and camera stream',
  boundaries: {
    ideal: 0,
    review: 0,
    allowed_share: 0,
    source: 'a sample without a valid timestamp cannot be aligned; the readiness check blocks at one',
  },
  observe({ receipt }) {
    const timeline = receipt.facts?.timeline;
    if (timeline === undefined) return notAssessable('no fixed-rate stream has recorded timestamps');
    const { clocks, samples, reversals, non_finite } = timeline;
    return {
      observed: reversals + non_finite,
      confidence: 'high',
      inputs: { clocks, samples, reversals, non_finite },
      provenance: 'timestamps of the source',
    };
  },
};
