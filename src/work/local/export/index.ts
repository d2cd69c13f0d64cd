/** A door of its own: who only assesses does not load it. */
export type { ChosenEpisode } from '../../steps/export/choose-episodes.ts';
export { lineageFile } from '../../steps/export/lineage.ts';
export { type ExportOptions, type ExportResult, exportDataset } from './export-dataset.ts';
export { stageFolder } from './staged-folder.ts';
export { verifyExport } from './verify-export.ts';
