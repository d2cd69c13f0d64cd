import { significant } from '#core';
import { metricTitles } from '#core/titles';
import { gradeCheck } from '../grade-check.ts';
import { type Metric, notAssessable } from '../metric.ts';

export const gripperConvention: Metric = {
  id: 'gripper.convention',
  title: metricTitles['gripper.convention'],
  unit: 'loss',
  direction: 'lower_is_better',
  formula:
    '1 − the lowest score of gripper_consistency for polarity, response to commands and declared scale (formulas in docs/checks.md); 0 if there is no contradiction',
  inputs:
    'gripper dimensions of state and action, declared conventions, and the conventions of the other episodes',
  boundaries: {
    ideal: 0.5,
    review: 0.8,
    allowed_share: 0.05,
    source: 'the readiness check raises a flag below a score of 0.5; an inverted gripper has a loss of 1',
  },
  observe({ receipt }) {
    const read = gradeCheck(receipt, 'gripper_consistency');
    if ('reason' in read) return notAssessable(read.reason);
    const loss = read.aspects.reduce((largestLoss, { score }) => Math.max(largestLoss, 1 - score), 0);
    return {
      observed: significant(loss),
      confidence: 'high',
      inputs: { grippers: receipt.grippers.length, flags: read.aspects.map(({ flag }) => flag) },
      provenance: 'gripper_consistency, over every row',
    };
  },
};
