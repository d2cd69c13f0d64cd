import { significant } from '#core';
import { metricTitles } from '#core/titles';
import { findWorstAspect, gradeCheck } from '../grade-check.ts';
import { type Metric, notAssessable } from '../metric.ts';

const violations = new Set([
  'non_finite_values',
  'signal_jump',
  'unit_change',
  'joint_stuck',
  'signal_chatter',
]);

export const kinematicsViolations: Metric = {
  id: 'kinematics.violations',
  title: metricTitles['kinematics.violations'],
  unit: 'loss',
  direction: 'lower_is_better',
  formula:
    '1 − the least score that kinematic_sanity gives to values that are not finite, jumps, changes of unit, stuck joints and chatter, by its formulas (docs/checks.md), 0 where none is seen',
  inputs: 'what kinematic_sanity measured, less what all episodes of the set share',
  boundaries: {
    ideal: 0.5,
    review: 0.7,
    allowed_share: 0.05,
    source:
      'below a score of 0.5 the readiness check raises a flag; one value that is not finite loses 0.75 and poisons a batch',
  },
  observe({ receipt }) {
    const read = gradeCheck(receipt, 'kinematic_sanity');
    if ('reason' in read) return notAssessable(read.reason);
    const worst = findWorstAspect(read.aspects, violations);
    return {
      observed: worst === null ? 0 : significant(1 - worst.score),
      confidence: 'high',
      inputs:
        worst === null ? {} : { flag: worst.flag, score: significant(worst.score), value: worst.observed },
      provenance: 'kinematic_sanity, over every row',
    };
  },
};
