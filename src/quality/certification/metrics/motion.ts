import { z } from 'zod';
import { significant } from '#core';
import type { Receipt } from '#core/api';
import { metricTitles } from '#core/titles';
import { type Aspect, type CheckId, checks } from '#quality/readiness';
import { type Metric, notAssessable } from '../metric.ts';
import { readCheck } from '../read-check.ts';

const violationFlags = new Set([
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
    '1 − the lowest score of the Motion plausibility check for non-finite values, jumps, unit changes, stuck joints and chatter (formulas in docs/checks.md); 0 if there are none',
  inputs:
    'measurements of the Motion plausibility check, without motion patterns common to the whole dataset',
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
    const worst = findWorstAspect(read.aspects, violationFlags);
    return {
      observed: worst === null ? 0 : significant(1 - worst.score),
      confidence: 'high',
      inputs:
        worst === null ? {} : { flag: worst.flag, score: significant(worst.score), value: worst.observed },
      provenance: 'measured by the Motion plausibility check, over every row',
    };
  },
};

export const kinematicsFrozenRatio: Metric = {
  id: 'kinematics.frozen_ratio',
  title: metricTitles['kinematics.frozen_ratio'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'share of rows equal to the previous row in every dimension, in runs of at least 5 rows and 0.2 s during which the other stream moves by at least a tenth of its range; the larger of state and action',
  inputs: 'rows of state and action, measured by the Motion plausibility check',
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
      provenance: 'measured by the Motion plausibility check, over every row',
    };
  },
};

/** Rows that an action needs for its limits to be visible. */
const minSaturationRows = 30;

export const actionSaturation: Metric = {
  id: 'action.saturation',
  title: metricTitles['action.saturation'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'share of rows in which a dimension of the action is exactly at its minimum or maximum for three or more rows while others move; worst dimension, 0 if below 5 %',
  inputs: 'rows of the action, measured by the Motion plausibility check',
  boundaries: {
    ideal: 0.08,
    review: 0.16,
    allowed_share: 0.05,
    source: 'start and middle of the ramp of kinematic_sanity; clean episodes reach 4.5 %',
  },
  observe({ receipt }) {
    const read = readMotions(receipt);
    if ('reason' in read) return notAssessable(read.reason);
    const actions = read.motions.filter(({ role }) => role === 'action');
    if (actions.length === 0) return notAssessable('no numeric action');
    const long = actions.filter(
      ({ samples, stream }) => samples >= minSaturationRows && !read.usual.has(`signal_saturated ${stream}`),
    );
    if (long.length === 0)
      return notAssessable('the action has fewer than 30 rows, or the whole dataset shares its limits');
    const size = (saturated: (typeof long)[number]['saturated']) => saturated?.size ?? 0;
    const worst = long.reduce((best, next) => (size(next.saturated) > size(best.saturated) ? next : best));
    return {
      observed: size(worst.saturated),
      confidence: 'high',
      inputs: {
        stream: worst.stream,
        dimension: worst.saturated?.dimension ?? null,
        rows: worst.samples,
      },
      provenance: 'measured by the Motion plausibility check, over every row',
    };
  },
};

export const gripperConvention: Metric = {
  id: 'gripper.convention',
  title: metricTitles['gripper.convention'],
  unit: 'loss',
  direction: 'lower_is_better',
  formula:
    '1 − the lowest score of the Gripper consistency check for polarity, response to commands and declared scale (formulas in docs/checks.md); 0 if there is no contradiction',
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
      provenance: 'measured by the Gripper consistency check, over every row',
    };
  },
};

const anyValues = z.record(z.string(), z.json());
const anyNotes = z.record(z.string(), anyValues);

/**
 * Grades an episode with a check's default formula, independent of the settings; returns a reason if it was not
 * measured.
 */
function gradeCheck(
  receipt: Receipt,
  id: CheckId,
): { readonly aspects: readonly Aspect[] } | { readonly reason: string } {
  const read = readCheck(receipt, id, anyValues);
  if (read.status === 'absent') return { reason: read.reason };
  const notes = anyNotes.safeParse(read.notes);
  return { aspects: checks.get(id)?.judge(read.values, notes.success ? notes.data : {}) ?? [] };
}

/** Returns the aspect with the lowest score among these flags; null if none of them was graded. */
function findWorstAspect(aspects: readonly Aspect[], flags: ReadonlySet<string>): Aspect | null {
  let worst: Aspect | null = null;
  for (const aspect of aspects)
    if (flags.has(aspect.flag) && (worst === null || aspect.score < worst.score)) worst = aspect;
  return worst;
}

const motionSchema = z.looseObject({
  stream: z.string(),
  role: z.enum(['action', 'state']),
  samples: z.number(),
  frozen: z.number(),
  saturated: z.looseObject({ dimension: z.number(), size: z.number() }).nullable(),
});
const motionValuesSchema = z.looseObject({ motions: z.array(motionSchema) });
const usualMotionSchema = z.looseObject({ traits: z.array(z.string()) });

/**
 * Reads the motion measurements of kinematic_sanity for state and action streams, or returns the reason why there are
 * none.
 */
function readMotions(receipt: Receipt):
  | {
      readonly motions: readonly z.infer<typeof motionSchema>[];
      /** Traits that all episodes of the set share, each as "flag stream". */
      readonly usual: ReadonlySet<string>;
    }
  | { readonly reason: string } {
  const read = readCheck(receipt, 'kinematic_sanity', motionValuesSchema);
  if (read.status === 'absent') return { reason: read.reason };
  const traits = usualMotionSchema.safeParse(read.notes.usual_motion);
  return { motions: read.values.motions, usual: new Set(traits.success ? traits.data.traits : []) };
}
