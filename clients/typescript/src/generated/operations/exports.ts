// Written by `npm run generate` from src/core/api. Change it there.
import type {
  CancelExportInput,
  CreateExportInput,
  DeleteExportInput,
  GetExportDownloadInput,
  GetExportFileInput,
  GetExportInput,
  GetExportLineageInput,
  ListExportFilesInput,
  ListExportsInput,
  SealExportInput,
} from '../types/exports-calls.ts';
import type { ExportFile, Lineage } from '../types/exports.ts';
import type { Export, Page } from '../types/shared.ts';

export interface ExportsOperations {
  list_exports: {
    input: ListExportsInput;
    answer: Page<Export>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  create_export: {
    input: CreateExportInput;
    answer: Export;
    error:
      | 'budget_exceeded'
      | 'conflict'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_export: {
    input: GetExportInput;
    answer: Export;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  delete_export: {
    input: DeleteExportInput;
    answer: undefined;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  cancel_export: {
    input: CancelExportInput;
    answer: Export;
    error:
      | 'conflict'
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  seal_export: {
    input: SealExportInput;
    answer: Export;
    error:
      | 'conflict'
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_export_lineage: {
    input: GetExportLineageInput;
    answer: Lineage;
    error: 'not_found' | 'not_ready' | 'rate_limited' | 'unauthenticated';
  };
  get_export_download: {
    input: GetExportDownloadInput;
    answer: Response;
    error: 'not_found' | 'not_ready' | 'range_not_satisfiable' | 'rate_limited' | 'unauthenticated';
  };
  list_export_files: {
    input: ListExportFilesInput;
    answer: Page<ExportFile>;
    error: 'not_found' | 'not_ready' | 'rate_limited' | 'unauthenticated';
  };
  get_export_file: {
    input: GetExportFileInput;
    answer: Response;
    error: 'not_found' | 'not_ready' | 'range_not_satisfiable' | 'rate_limited' | 'unauthenticated';
  };
}
