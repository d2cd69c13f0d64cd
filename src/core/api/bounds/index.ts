/**
 * How far settings may move a check (decisions: offset within ±0.2, weight 0..3 times its default). A door of its own:
 * who judges needs the numbers and no schema.
 */
export const settingBounds = { threshold_offset: [-0.2, 0.2], weight_factor: [0, 3] } as const;

export {
  type CertificationMetricId,
  type CertificationVerdict,
  certificationMetricIds,
  certificationVerdicts,
} from './certification-metrics.ts';
export { type ExportEditId, exportEditIds } from './export-edits.ts';
export { exportFormatIds } from './export-formats.ts';
