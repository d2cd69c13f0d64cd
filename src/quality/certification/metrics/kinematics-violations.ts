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
    '1 − the lowest score of kinematic_sanity for non-finite values, jumps, unit changes, stuck joints and chatter (formulas in docs/checks.md); 0 if there are none',
  inputs: 'measurements of kinematic_sanity, without motion patterns common to the whole dataset',
  boundaries: {
    ideal: 0.5,
    review: 0.7,
    allowed_share: 0.05,
    source:
      'the readiness check raises a flag below a score of 0.5; a single non-finite value has a loss of 0.75 and makes the loss of a batch NaN',
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
