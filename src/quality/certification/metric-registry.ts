import { defineRegistry } from '#core';
import type { CertificationMetricId } from '#core/api';
import type { Metric } from './metric.ts';
import { actionSaturation } from './metrics/action-saturation.ts';
import { annotationCoverage } from './metrics/annotation-coverage.ts';
import { calibrationDrift } from './metrics/calibration-drift.ts';
import { cameraCoverage } from './metrics/camera-coverage.ts';
import { cameraFrozenFrames } from './metrics/camera-frozen-frames.ts';
import { formatLoadable } from './metrics/format-loadable.ts';
import { gripperConvention } from './metrics/gripper-convention.ts';
import { imageBlur } from './metrics/image-blur.ts';
import { imageDecodable } from './metrics/image-decodable.ts';
import { imageDuplicates } from './metrics/image-duplicates.ts';
import { imageExposure } from './metrics/image-exposure.ts';
import { kinematicsFrozenRatio } from './metrics/kinematics-frozen-ratio.ts';
import { kinematicsViolations } from './metrics/kinematics-violations.ts';
import { languageCaptionBoundaries } from './metrics/language-caption-boundaries.ts';
import { languageCaptionCoverage } from './metrics/language-caption-coverage.ts';
import { languageCaptionVideoAgreement } from './metrics/language-caption-video-agreement.ts';
import { languageInstructionPresent } from './metrics/language-instruction-present.ts';
import { splitLeakage } from './metrics/split-leakage.ts';
import { stereoReprojection } from './metrics/stereo-reprojection.ts';
import { syncContentLag } from './metrics/sync-content-lag.ts';
import { syncOverlap } from './metrics/sync-overlap.ts';
import { timelineGapRatio } from './metrics/timeline-gap-ratio.ts';
import { timelineJitter } from './metrics/timeline-jitter.ts';
import { timelineMonotonic } from './metrics/timeline-monotonic.ts';

/** All certification metrics, in the order of the reports. */
export const metrics = defineRegistry<Metric>([
  formatLoadable,
  timelineMonotonic,
  timelineGapRatio,
  timelineJitter,
  syncOverlap,
  syncContentLag,
  kinematicsViolations,
  kinematicsFrozenRatio,
  actionSaturation,
  gripperConvention,
  calibrationDrift,
  cameraCoverage,
  cameraFrozenFrames,
  imageDecodable,
  imageBlur,
  imageExposure,
  imageDuplicates,
  stereoReprojection,
  languageInstructionPresent,
  languageCaptionCoverage,
  languageCaptionBoundaries,
  languageCaptionVideoAgreement,
  annotationCoverage,
  splitLeakage,
]);

/** Returns the metric of an id of the API contract. */
export function metricOf(id: CertificationMetricId): Metric {
  return metrics.get(id)!;
}
