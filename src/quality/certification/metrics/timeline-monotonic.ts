import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';

export const timelineMonotonic: Metric = {
  id: 'timeline.monotonic',
  title: metricTitles['timeline.monotonic'],
  unit: 'stamps',
  direction: 'lower_is_better',
  formula: 'stamps t[i] that are not finite or smaller than t[i−1], summed over the clocks of the episode',
  inputs: 'every stamp of the chosen clock of each sensor, state, action and camera stream',
  boundaries: {
    ideal: 0,
    review: 0,
    allowed_share: 0,
    source:
      'a sample without a place in time cannot be aligned with any other; the readiness check blocks at one',
  },
  observe({ receipt }) {
    const timeline = receipt.facts?.timeline;
    if (timeline === undefined) return notAssessable('no stream that keeps a rate has stamps in the source');
    const { clocks, samples, reversals, non_finite } = timeline;
    return {
      observed: reversals + non_finite,
      confidence: 'high',
      inputs: { clocks, samples, reversals, non_finite },
      provenance: 'stamps as the source holds them',
    };
  },
};
