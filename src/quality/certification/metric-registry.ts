import { defineRegistry } from '#core';
import type { CertificationMetricId } from '#core/api';
import type { Metric } from './metric.ts';
import { annotationCoverage } from './metrics/annotation.ts';
import { calibrationDrift, stereoReprojection } from './metrics/calibration.ts';
import {
  cameraCoverage,
  cameraFrozenFrames,
  imageBlur,
  imageDecodable,
  imageExposure,
} from './metrics/cameras.ts';
import { imageDuplicates, splitLeakage } from './metrics/duplicates.ts';
import { formatLoadable } from './metrics/format.ts';
import {
  languageCaptionBoundaries,
  languageCaptionCoverage,
  languageCaptionVideoAgreement,
  languageInstructionPresent,
} from './metrics/language.ts';
import {
  actionSaturation,
  gripperConvention,
  kinematicsFrozenRatio,
  kinematicsViolations,
} from './metrics/motion.ts';
import {
  syncContentLag,
  syncOverlap,
  timelineGapRatio,
  timelineJitter,
  timelineMonotonic,
} from './metrics/timeline.ts';

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
