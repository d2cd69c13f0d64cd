/** A door of its own: who only assesses does not load it. */
export type { ExportPlan } from '../../steps/export/export-task.ts';
export { lineageFile } from '../../steps/export/lineage.ts';
export { type ExportOptions, type ExportResult, exportDataset } from './export-dataset.ts';
export type { SourceEpisode } from './source-episode.ts';
export { stageFolder } from './staged-folder.ts';
export { verifyExport } from './verify-export.ts';
