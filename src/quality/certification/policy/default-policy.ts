import type {
  CertificationMetricId,
  CertificationPolicy,
  MetricBounds,
  RequirementId,
  TargetProfileId,
} from '#core/api';
import { targetProfile } from '#quality/catalog';
import { metrics } from '../metric-registry.ts';
import { sealPolicy } from './seal-policy.ts';

/** Returns the default policy of a target: the same boundaries for all targets, and needs that follow from the target's requirements. */
export function defaultPolicy(target: TargetProfileId): CertificationPolicy {
  const levels = new Map(targetProfile(target).requirements.map(({ id, level }) => [id, level]));
  const rows = metrics.rows.map(
    ({ id, unit, direction, boundaries }): MetricBounds => ({
      metric: id,
      need: resolveNeed(conditions[id], levels),
      unit,
      direction,
      ...boundaries,
    }),
  );
  return sealPolicy({ target, metrics: rows }, null);
}

type Levels = ReadonlyMap<RequirementId, 'required' | 'helps'>;

/**
 * Rule for the need of a metric. Object: the requirement (`of`) that the metric is evidence for, and the need (`most`) it
 * gets if the target requires it; `if_present` if it only helps the target, advisory otherwise. `present`: always
 * `if_present`. `never`: always advisory.
 */
type Condition =
  | { readonly of: RequirementId; readonly most: 'required' | 'if_present' }
  | 'present'
  | 'never';

const must = (of: RequirementId): Condition => ({ of, most: 'required' });
const may = (of: RequirementId): Condition => ({ of, most: 'if_present' });

const conditions: Readonly<Record<CertificationMetricId, Condition>> = {
  'format.loadable': 'present',
  'timeline.monotonic': must('time'),
  'timeline.gap_ratio': may('time'),
  'timeline.jitter': may('time'),
  'sync.overlap': may('time'),
  'sync.content_lag': 'never',
  'kinematics.violations': must('actions'),
  'kinematics.frozen_ratio': must('actions'),
  'action.saturation': must('actions'),
  'gripper.convention': may('actions'),
  'calibration.drift': 'never',
  'camera.coverage': must('cameras'),
  'camera.frozen_frames': may('cameras'),
  'image.decodable': must('cameras'),
  'image.blur': must('cameras'),
  'image.exposure': must('cameras'),
  'image.duplicates': may('cameras'),
  'stereo.reprojection': 'never',
  'language.instruction_present': must('instructions'),
  'language.caption_coverage': 'never',
  'language.caption_boundaries': 'never',
  'language.caption_video_agreement': 'never',
  'annotation.coverage': must('labels'),
  'split.leakage': 'present',
};

function resolveNeed(condition: Condition, levels: Levels): MetricBounds['need'] {
  if (condition === 'never') return 'advisory';
  if (condition === 'present') return 'if_present';
  const level = levels.get(condition.of);
  if (level === undefined) return 'advisory';
  return level === 'required' ? condition.most : 'if_present';
}
