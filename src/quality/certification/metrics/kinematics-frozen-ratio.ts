import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';
import { readMotions } from '../read-motions.ts';

export const kinematicsFrozenRatio: Metric = {
  id: 'kinematics.frozen_ratio',
  title: metricTitles['kinematics.frozen_ratio'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'share of rows equal to the previous row in every dimension, in runs of at least 5 rows and 0.2 s during which the other stream moves by at least a tenth of its range; the larger of state and action',
  inputs: 'rows of state and action, measured by kinematic_sanity',
  boundaries: {
    ideal: 0.02,
    review: 0.07,
    allowed_share: 0.05,
    source:
      'start and middle of the ramp of kinematic_sanity; clean Unitree G1 and Fourier GR1 episodes have none',
  },
  observe({ receipt }) {
    const read = readMotions(receipt);
    if ('reason' in read) return notAssessable(read.reason);
    const streams = read.motions.filter(({ role, stream }) => !read.usual.has(`${role}_frozen ${stream}`));
    if (streams.length === 0) return notAssessable('no numeric state or action');
    const worst = streams.reduce((highest, next) => (next.frozen > highest.frozen ? next : highest));
    return {
      observed: worst.frozen,
      confidence: 'high',
      inputs: { stream: worst.stream, rows: worst.samples },
      provenance: 'kinematic_sanity, over every row',
    };
  },
};
