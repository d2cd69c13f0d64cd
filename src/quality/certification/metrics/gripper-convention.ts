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
    '1 − the least score that gripper_consistency gives to polarity, following and declared scale, by its formulas (docs/checks.md), 0 where nothing contradicts',
  inputs: 'gripper dimensions of state and action, declared conventions, and what the other episodes do',
  boundaries: {
    ideal: 0.5,
    review: 0.8,
    allowed_share: 0.05,
    source:
      'below a score of 0.5 the readiness check raises a flag; a gripper that counts the other way round loses 1',
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
