/**
 * Bounds of a check's settings: threshold offset within ±0.2, weight 0 to 3 times the default. A separate module, so
 * that judging does not load schemas.
 */
export const settingBounds = { threshold_offset: [-0.2, 0.2], weight_factor: [0, 3] } as const;

export {
  type CertificationMetricId,
  type CertificationVerdict,
  certificationMetricIds,
  certificationVerdicts,
} from './certification-metrics.ts';
export { type DropStage, dropStages } from './drop-stages.ts';
export { type ExportEditId, exportEditIds } from './export-edits.ts';
export { exportFormatIds } from './export-formats.ts';
