export { renderCroissant } from './card/croissant.ts';
export { renderDatasetCard } from './card/dataset-card.ts';
export type { SealedReport } from './card/sealed-report.ts';
export { Certifier, reportSchemaId } from './certifier.ts';
export { certify } from './certify.ts';
export type {
  AnnotationEvidence,
  CaptionWindow,
  EpisodeEvidence,
  JudgedWindow,
  LoadEvidence,
  Metric,
} from './metric.ts';
export { metrics } from './metric-registry.ts';
export { defaultPolicy } from './policy/default-policy.ts';
export { diffPolicies, type PolicyDiff } from './policy/diff-policies.ts';
export { type DryRun, dryRun } from './policy/dry-run.ts';
export { parsePolicy } from './policy/parse-policy.ts';
export { sealPolicy } from './policy/seal-policy.ts';
export { findImportedReportFault, type ReportFault } from './recompute.ts';
export { coverageText, renderReport } from './report/render-report.ts';
