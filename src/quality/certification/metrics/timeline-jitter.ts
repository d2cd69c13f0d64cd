import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';

export const timelineJitter: Metric = {
  id: 'timeline.jitter',
  title: metricTitles['timeline.jitter'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    '95th percentile of |Δ/Δ̃ − 1|, with Δ the steps of a clock that are no holes and Δ̃ their median; the largest over the clocks',
  inputs: 'recorded stamps of streams that keep a rate',
  boundaries: {
    ideal: 0.35,
    review: 0.65,
    allowed_share: 0.05,
    source: 'start and middle of the ramp of timeline_integrity, set on real ROS 1 and ROS 2 recordings',
  },
  observe({ receipt }) {
    const timeline = receipt.facts?.timeline;
    if (timeline === undefined) return notAssessable('no stream that keeps a rate has stamps in the source');
    if (timeline.jitter === null)
      return notAssessable(
        'every stamp is computed (row / rate): even by construction, which proves nothing',
      );
    return {
      observed: timeline.jitter,
      confidence: 'high',
      inputs: { recorded_clocks: timeline.recorded, stream: timeline.jitter_stream },
      provenance: 'recorded stamps',
    };
  },
};
