export { Certifier, certify, reportSchemaId } from './certifier.ts';
export { renderCroissant } from './croissant.ts';
export { renderDatasetCard, type SealedReport } from './dataset-card.ts';
export { type DryRun, dryRun } from './dry-run.ts';
export type {
  AnnotationEvidence,
  CaptionWindow,
  EpisodeEvidence,
  JudgedWindow,
  LoadEvidence,
  Metric,
} from './metric.ts';
export { metrics } from './metric-registry.ts';
export { defaultPolicy, diffPolicies, type PolicyDiff, parsePolicy, sealPolicy } from './policy.ts';
export { findImportedReportFault, type ReportFault } from './recompute.ts';
export { coverageText, renderReport } from './render-report.ts';
