import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';

export const timelineJitter: Metric = {
  id: 'timeline.jitter',
  title: metricTitles['timeline.jitter'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    '95th percentile of |Δ/Δ̃ − 1|, with Δ the intervals between timestamps (without gaps) and Δ̃ their median; maximum over the streams',
  inputs: 'recorded timestamps of fixed-rate streams',
  boundaries: {
    ideal: 0.35,
    review: 0.65,
    allowed_share: 0.05,
    source:
      'start and middle of the ramp of timeline_integrity, calibrated on real ROS 1 and ROS 2 recordings',
  },
  observe({ receipt }) {
    const timeline = receipt.facts?.timeline;
    if (timeline === undefined) return notAssessable('no fixed-rate stream has recorded timestamps');
    if (timeline.jitter === null)
      return notAssessable('all timestamps are computed (row / rate) and regular by construction');
    return {
      observed: timeline.jitter,
      confidence: 'high',
      inputs: { recorded_clocks: timeline.recorded, stream: timeline.jitter_stream },
      provenance: 'recorded timestamps',
    };
  },
};
