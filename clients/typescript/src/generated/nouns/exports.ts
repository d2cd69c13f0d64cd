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
   * Needs the role `viewer`.
   */
  list: (input: ListExportsInput, options?: CallOptions): Promise<Page<Export>> =>
    call('list_exports', input, options),

  /**
   * Export a project’s episodes as a training set.
   *
   * The decisions and receipts of this moment choose the episodes. The estimated cost is reserved first.
   * The set is written in the background. It appears whole or not at all, and an export that is
   * interrupted begins again and ends with the same seal. A recording that has changed since it was
   * judged ends the export with the name of the file.
   *
   * Needs the role `engineer`.
   */
  create: (input: CreateExportInput, options?: CallOptions): Promise<Export> =>
    call('create_export', input, options),

  /**
   * Get one export.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetExportInput, options?: CallOptions): Promise<Export> => call('get_export', input, options),

  /**
   * Delete an export and its files; one that is under way is cancelled first.
   *
   * A sealed export needs an admin.
   *
   * Needs the role `engineer`.
   */
  delete: (input: DeleteExportInput, options?: CallOptions): Promise<undefined> =>
    call('delete_export', input, options),

  /**
   * Cancel an export; nothing of it stays.
   *
   * Takes effect at once; workers stop within two seconds.
   *
   * Needs the role `engineer`.
   */
  cancel: (input: CancelExportInput, options?: CallOptions): Promise<Export> =>
    call('cancel_export', input, options),

  /**
   * Seal an export, as a person’s approval.
   *
   * A sealed export does not change, its source cannot be removed, and only an admin can delete it.
   * Sealing it again changes nothing.
   *
   * Needs the role `reviewer`.
   */
  seal: (input: SealExportInput, options?: CallOptions): Promise<Export> =>
    call('seal_export', input, options),

  /**
   * Get an export’s lineage, byte for byte as it lies in the export.
   *
   * Each episode with its receipt’s hash, each one left out with the reason, each file with its hash.
   * The entity tag is the seal.
   *
   * Needs the role `viewer`.
   */
  getLineage: (input: GetExportLineageInput, options?: CallOptions): Promise<Lineage> =>
    call('get_export_lineage', input, options),

  /**
   * Download an export as one archive.
   *
   * The same bytes each time, so `Range` resumes a download that was cut off. The entity tag is the
   * seal. Files are stored in the archive as they are, in the order of their paths.
   *
   * Needs the role `viewer`.
   */
  getDownload: (input: GetExportDownloadInput, options?: CallOptions): Promise<Response> =>
    call('get_export_download', input, options),

  /**
   * List an export’s files by path.
   *
   * Needs the role `viewer`.
   */
  listFiles: (input: ListExportFilesInput, options?: CallOptions): Promise<Page<ExportFile>> =>
    call('list_export_files', input, options),

  /**
   * Get one file of an export.
   *
   * The entity tag is the SHA-256 of the file.
   *
   * Needs the role `viewer`.
   */
  getFile: (input: GetExportFileInput, options?: CallOptions): Promise<Response> =>
    call('get_export_file', input, options),
});
