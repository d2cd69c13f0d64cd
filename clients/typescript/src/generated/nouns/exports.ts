// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
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

export const exports = ({ call }: Calls) => ({
  /**
   * List a project’s exports, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  list: (input: ListExportsInput, options?: CallOptions): Promise<Page<Export>> =>
    call('list_exports', input, options),

  /**
   * Export a project’s episodes as a training dataset.
   *
   * Episodes are selected by their decisions and receipts at the time of the request. The estimated cost
   * is reserved first. The dataset is written in the background and becomes available only when it is
   * complete; an interrupted export restarts and ends with the same seal. If a recording has changed
   * since it was evaluated, the export fails and names the file.
   *
   * Requires the role `engineer` or higher.
   */
  create: (input: CreateExportInput, options?: CallOptions): Promise<Export> =>
    call('create_export', input, options),

  /**
   * Get an export.
   *
   * Requires the role `viewer` or higher.
   */
  get: (input: GetExportInput, options?: CallOptions): Promise<Export> => call('get_export', input, options),

  /**
   * Delete an export and its files.
   *
   * A running export is cancelled first. Only an admin can delete a sealed export.
   *
   * Requires the role `engineer` or higher.
   */
  delete: (input: DeleteExportInput, options?: CallOptions): Promise<undefined> =>
    call('delete_export', input, options),

  /**
   * Cancel an export and remove its files.
   *
   * Takes effect immediately; workers stop within two seconds.
   *
   * Requires the role `engineer` or higher.
   */
  cancel: (input: CancelExportInput, options?: CallOptions): Promise<Export> =>
    call('cancel_export', input, options),

  /**
   * Seal an export to approve it.
   *
   * A sealed export is immutable, its source cannot be removed, and only an admin can delete it. Sealing
   * again has no effect.
   *
   * Requires the role `reviewer` or higher.
   */
  seal: (input: SealExportInput, options?: CallOptions): Promise<Export> =>
    call('seal_export', input, options),

  /**
   * Get an export’s lineage file.
   *
   * Lists each exported episode with the hash of its receipt, each excluded episode with the reason, and
   * each file with its hash. The `ETag` is the seal.
   *
   * Requires the role `viewer` or higher.
   */
  getLineage: (input: GetExportLineageInput, options?: CallOptions): Promise<Lineage> =>
    call('get_export_lineage', input, options),

  /**
   * Download an export as one archive.
   *
   * The bytes are the same for every download, so an interrupted download can be resumed with `Range`.
   * The `ETag` is the seal. Files are stored uncompressed, in order of their paths.
   *
   * Requires the role `viewer` or higher.
   */
  getDownload: (input: GetExportDownloadInput, options?: CallOptions): Promise<Response> =>
    call('get_export_download', input, options),

  /**
   * List an export’s files by path.
   *
   * Requires the role `viewer` or higher.
   */
  listFiles: (input: ListExportFilesInput, options?: CallOptions): Promise<Page<ExportFile>> =>
    call('list_export_files', input, options),

  /**
   * Get one file of an export.
   *
   * The `ETag` is the SHA-256 of the file.
   *
   * Requires the role `viewer` or higher.
   */
  getFile: (input: GetExportFileInput, options?: CallOptions): Promise<Response> =>
    call('get_export_file', input, options),
});
