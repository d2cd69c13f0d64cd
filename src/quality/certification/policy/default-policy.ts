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

/** The policy of a target before anybody has written another: boundaries of the metrics, weighed by what the target needs. */
export function defaultPolicy(target: TargetProfileId): CertificationPolicy {
  const levels = new Map(targetProfile(target).requirements.map(({ id, level }) => [id, level]));
  const rows = metrics.rows.map(
    ({ id, unit, direction, boundaries }): MetricBounds => ({
      metric: id,
      need: needOf(shownBy[id], levels),
      unit,
      direction,
      ...boundaries,
    }),
  );
  return sealPolicy({ target, metrics: rows }, null);
}

type Levels = ReadonlyMap<RequirementId, 'required' | 'helps'>;

/**
 * The requirement of a target that a metric is evidence for, and whether every episode must show it where the target
 * cannot do without; `present`: it counts wherever there is evidence; `never`: it is shown and not counted.
 */
type Shown = { readonly of: RequirementId; readonly most: 'required' | 'if_present' } | 'present' | 'never';

const must = (of: RequirementId): Shown => ({ of, most: 'required' });
const may = (of: RequirementId): Shown => ({ of, most: 'if_present' });

const shownBy: Readonly<Record<CertificationMetricId, Shown>> = {
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

function needOf(shown: Shown, levels: Levels): MetricBounds['need'] {
  if (shown === 'never') return 'advisory';
  if (shown === 'present') return 'if_present';
  const level = levels.get(shown.of);
  if (level === undefined) return 'advisory';
  return level === 'required' ? shown.most : 'if_present';
}
