/** Separate entry point, so that plain assessments do not load it. */
export type { ExportPlan } from '../../steps/export/export-request.ts';
export { lineageFile } from '../../steps/export/lineage.ts';
export {
  type ExportOptions,
  type ExportResult,
  exportDataset,
  type SourceEpisode,
} from './export-dataset.ts';
export { stageFolder } from './staged-output.ts';
export { verifyExport } from './verify-export.ts';
